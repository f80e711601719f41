import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Logs a failed request while its trace id is still in the MDC, so that a flight recorder with
 * {@code <key>traceId</key>} dumps this request. After Boot's ServerHttpObservationFilter.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
class FailedRequests extends OncePerRequestFilter {
  private static final Logger LOG = LoggerFactory.getLogger(FailedRequests.class);

  @Override
  protected void doFilterInternal(HttpServletRequest in, HttpServletResponse out, FilterChain chain)
      throws ServletException, IOException {
    try {
      chain.doFilter(in, out);
    } catch (ServletException | IOException | RuntimeException e) {
      LOG.error("{} {} failed", in.getMethod(), in.getRequestURI(), e);
      throw e;
    }
  }
}
