(* claim: cone_sets-recommended
   digest: a224d1476ab0b375

   Appendix D.1: "it is not hard to check the validity of the recommended parameters", among them
     (c_1 - 2 sqrt(2 epsilon)) f_h(d) > f_r(d, t)                                       (D.1)
   with c_1 = 0.5, epsilon = 0.001, d = 20, f_h(d) = 0.2 sqrt d, f_r(d, t) = f_h (t + 1)^(-1/2) and
   T = 100.

   Read for all t in [T], as the theorem that the constraints are for. One constraint is enough:
   (D.1) fails at t = 1, where it says 0.5 - 2 sqrt(0.002) > 1/sqrt 2. *)
From Coq Require Import Reals ZArith QArith Qreals Lra Lia.
Open Scope R_scope.

Definition D_1 (c1 epsilon f_h f_r : R) : Prop := f_r < (c1 - 2 * sqrt (2 * epsilon)) * f_h.

(* instance: recommended.json *)
Definition d : Z := 20%Z.
Definition T : Z := 100%Z.
Definition c1 : Q := ((1) # 2)%Q.
Definition epsilon : Q := ((1) # 1000)%Q.
Definition f_h_over_sqrt_d : Q := ((1) # 5)%Q.
Definition t : Z := 1%Z.
(* end of instance *)

Definition f_h : R := Q2R f_h_over_sqrt_d * sqrt (IZR d).
Definition f_r (t : Z) : R := f_h / sqrt (IZR t + 1).

Definition printed : Prop :=
  forall s : Z, (1 <= s <= T)%Z -> D_1 (Q2R c1) (Q2R epsilon) f_h (f_r s).

Theorem refuted : ~ printed.
Proof.
  intros H. specialize (H t ltac:(unfold t, T; lia)). revert H.
  unfold D_1, f_r. unfold c1, epsilon, t, Q2R. cbn [Qnum Qden].
  assert (F : 0 < f_h).
  { unfold f_h, f_h_over_sqrt_d, d, Q2R. cbn [Qnum Qden].
    apply Rmult_lt_0_compat; [lra|apply sqrt_lt_R0; lra]. }
  replace (1 + 1) with 2 by lra.
  assert (S : 0 < sqrt 2 < 2).
  { split; [apply sqrt_lt_R0; lra|].
    rewrite <- (sqrt_square 2) at 2 by lra. apply sqrt_lt_1; lra. }
  pose proof (sqrt_pos (2 * (1 * / 1000))) as E.
  (* f_h / sqrt 2 > f_h / 2, and the other side is at most f_h / 2 *)
  assert (A : f_h * / 2 < f_h / sqrt 2)
    by (apply Rmult_lt_compat_l; [assumption|apply Rinv_lt_contravar; nra]).
  intros H. nra.
Qed.
