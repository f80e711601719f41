package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.spi.FilterAttachable;
import ch.qos.logback.core.spi.FilterReply;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The whole of a log call: re-entrance guard, filters, and the offer to the running pipeline. Every
 * event ends in the ring or in exactly one counter. Nothing is thrown, with one exception: a thread
 * that runs out of stack gets its StackOverflowError before the event counts as offered.
 *
 * <p>The guard is our own because Logback's has not worked since 1.5.21 and does not count what it
 * refuses. It covers filters and formatting, which are foreign code that may log.
 */
public final class AppendGate {

  /** Index in a thread's {@code int[]}: 1 during a log call, otherwise 0. */
  private static final int INSIDE = 0;

  /** Index of the identity of the MDC map weighed last, if it was large; otherwise 0. */
  static final int LARGE_MDC = 1;

  private static final int CALLER_STATE = 2;

  final Ledger ledger;

  /** Values are JDK classes only, so that a pooled thread does not keep this class alive. */
  @SuppressWarnings("ThreadLocalUsage") // a call into one appender may be inside one of another
  private final ThreadLocal<int @Nullable []> callers = new ThreadLocal<>();

  /** Written by start and stop of the appender; read by every log call. */
  private volatile @Nullable Admission admission;

  /** The newest start's pipeline, also when stopped; null before the first. Written by start. */
  private volatile @Nullable Pipeline newest;

  /** Written by any log call whose filters or formatting threw; for JMX. */
  private volatile @Nullable Throwable lastFailure;

  public AppendGate(Ledger ledger) {
    this.ledger = ledger;
  }

  public synchronized void open(Pipeline running) {
    newest = running;
    admission = running.admission;
  }

  /** The pipeline that events go to; null while the gate is closed. */
  public @Nullable Pipeline pipeline() {
    return admission == null ? null : newest;
  }

  /** The pipeline of the newest start, also when it is stopped; null before the first. */
  @Nullable Pipeline newest() {
    return newest;
  }

  /**
   * As {@link Pipeline#flush}, of the newest start; false before the first.
   *
   * @param timeout longest wait; 0 only checks
   */
  public boolean flush(Duration timeout) {
    Pipeline known = newest;
    return known != null && known.flush(NanoClock.SYSTEM.limit(timeout));
  }

  /**
   * Refuses events from now on. Calls that are past this point are left to the pipeline. Any
   * thread.
   *
   * @return the pipeline that events went to, for the one caller that must stop it; null if the
   *     gate was closed
   */
  public synchronized @Nullable Pipeline close() {
    Pipeline open = pipeline();
    admission = null;
    return open;
  }

  /** The whole of a log call. Waits only as {@link Admission} and {@link CallTurns} say. */
  public void log(ILoggingEvent event, FilterAttachable<ILoggingEvent> filters) {
    int[] caller = callers.get();
    if (caller == null) {
      caller = newCaller();
      callers.set(caller);
    }
    probeStack(caller);
    if (caller[INSIDE] != 0) {
      ledger.drop(DropReason.REENTRANT, event);
      return;
    }
    caller[INSIDE] = 1;
    try {
      if (filters.getFilterChainDecision(event) != FilterReply.DENY) {
        offer(event, caller);
      }
    } catch (Throwable t) { // foreign code: a log call must not break the caller
      lastFailure = t;
      if (event != null) { // doAppend(null), which no logger calls, has no event to count
        ledger.drop(DropReason.PREPARE_FAILED, event);
      }
    } finally {
      caller[INSIDE] = 0;
    }
  }

  /**
   * Whether an encoder or appender logged this on the current carrier thread and would feed itself.
   * An event passed on by another ring has the name of the thread that logged it.
   */
  private boolean isOfOwnCarrier(ILoggingEvent event) {
    Object carried = AgentThread.carriedHere();
    return (carried == ledger || carried == AgentThread.ANY)
        && !(event instanceof OwnEvent)
        && Thread.currentThread()
            .getName()
            .equals(EventPart.of(event, ILoggingEvent::getThreadName));
  }

  private void offer(ILoggingEvent event, int[] caller) {
    Admission running = admission;
    if (isOfOwnCarrier(event)) {
      ledger.drop(DropReason.REENTRANT, event);
    } else if (running == null) {
      ledger.drop(DropReason.STOPPED, event);
    } else {
      running.offer(event, caller);
    }
  }

  /** The newest failure of a log call in words, or "". */
  public String lastError() {
    Throwable failure = lastFailure;
    return failure == null ? "" : "log call: " + failure;
  }

  /** The state that a thread keeps between log calls. */
  static int[] newCaller() {
    return new int[CALLER_STATE];
  }

  /**
   * Checks that there is enough stack for the rest of a log call before the call changes anything:
   * throws a StackOverflowError, or does nothing. A thread near the end of its stack gets its error
   * here, not between two steps that belong together, such as claiming a slot of the ring and
   * filling it.
   *
   * <p>An interpreted method has a frame for all its variables, used or not: 8 KB here, about three
   * times what our longest chain of calls takes. Compiled code touches as much stack as the method
   * would need in the interpreter, where the branch below may lead. That costs two stores.
   */
  @SuppressWarnings({"unused", "UnusedVariable", "MultiVariableDeclaration"})
  static void probeStack(int[] caller) {
    // spotless:off
    long aa,ab,ac,ad,ae,af,ag,ah,ai,aj,ak,al,am,an,ao,ap,aq,ar,as,at,au,av,aw,ax,ay,az,a0,a1,a2,a3;
    long a4,a5,a6,a7,a8,a9,ba,bb,bc,bd,be,bf,bg,bh,bi,bj,bk,bl,bm,bn,bo,bp,bq,br,bs,bt,bu,bv,bw,bx;
    long by,bz,b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,ca,cb,cc,cd,ce,cf,cg,ch,ci,cj,ck,cl,cm,cn,co,cp,cq,cr;
    long cs,ct,cu,cv,cw,cx,cy,cz,c0,c1,c2,c3,c4,c5,c6,c7,c8,c9,da,db,dc,dd,de,df,dg,dh,di,dj,dk,dl;
    long dm,dn,dp,dq,dr,ds,dt,du,dv,dw,dx,dy,dz,d0,d1,d2,d3,d4,d5,d6,d7,d8,d9,ea,eb,ec,ed,ee,ef,eg;
    long eh,ei,ej,ek,el,em,en,eo,ep,eq,er,es,et,eu,ev,ew,ex,ey,ez,e0,e1,e2,e3,e4,e5,e6,e7,e8,e9,fa;
    long fb,fc,fd,fe,ff,fg,fh,fi,fj,fk,fl,fm,fn,fo,fp,fq,fr,fs,ft,fu,fv,fw,fx,fy,fz,f0,f1,f2,f3,f4;
    long f5,f6,f7,f8,f9,ga,gb,gc,gd,ge,gf,gg,gh,gi,gj,gk,gl,gm,gn,go,gp,gq,gr,gs,gt,gu,gv,gw,gx,gy;
    long gz,g0,g1,g2,g3,g4,g5,g6,g7,g8,g9,ha,hb,hc,hd,he,hf,hg,hh,hi,hj,hk,hl,hm,hn,ho,hp,hq,hr,hs;
    long ht,hu,hv,hw,hx,hy,hz,h0,h1,h2,h3,h4,h5,h6,h7,h8,h9,ia,ib,ic,id,ie,ig,ih,ii,ij,ik,il,im,in;
    long io,ip,iq,ir,is,it,iu,iv,iw,ix,iy,iz,i0,i1,i2,i3,i4,i5,i6,i7,i8,i9,ja,jb,jc,jd,je,jf,jg,jh;
    long ji,jj,jk,jl,jm,jn,jo,jp,jq,jr,js,jt,ju,jv,jw,jx,jy,jz,j0,j1,j2,j3,j4,j5,j6,j7,j8,j9,ka,kb;
    long kc,kd,ke,kf,kg,kh,ki,kj,kk,kl,km,kn,ko,kp,kq,kr,ks,kt,ku,kv,kw,kx,ky,kz,k0,k1,k2,k3,k4,k5;
    long k6,k7,k8,k9,la,lb,lc,ld,le,lf,lg,lh,li,lj,lk,ll,lm,ln,lo,lp,lq,lr,ls,lt,lu,lv,lw,lx,ly,lz;
    long l0,l1,l2,l3,l4,l5,l6,l7,l8,l9,ma,mb,mc,md,me,mf,mg,mh,mi,mj,mk,ml,mm,mn,mo,mp,mq,mr,ms,mt;
    long mu,mv,mw,mx,my,mz,m0,m1,m2,m3,m4,m5,m6,m7,m8,m9,na,nb,nc,nd,ne,nf,ng,nh,ni,nj,nk,nl,nm,nn;
    long no,np,nq,nr,ns,nt,nu,nv,nw,nx,ny,nz,n0,n1,n2,n3,n4,n5,n6,n7,n8,n9,oa,ob,oc,od,oe,of,og,oh;
    long oi,oj;
    // spotless:on
    if (caller.length != CALLER_STATE) {
      throw new IllegalArgumentException("not the state of a caller");
    }
  }
}
