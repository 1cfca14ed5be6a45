(* claim: fourier_circuits-wrong-logit
   digest: 50ecbe0c9ab0b3d4

   Thesis, Appendix C.7.2 and C.7.3: sum_{zeta=1}^{(p-1)/2} cos_zeta(s) is (p-1)/2 for s = 0 and 0
   otherwise, where cos_zeta(s) = cos(2 pi zeta s / p) and p is odd.

   The instance is p = 3, s = 1: the sum is the single number cos(2 pi / 3) = -1/2. *)
From Coq Require Import Reals ZArith Lra Lia.
From Proofs.common Require Import sums cosines.
Open Scope R_scope.

Definition printed : Prop :=
  forall h s : nat, let p := (2 * h + 1)%nat in
    (1 <= h)%nat -> (s < p)%nat ->
    cosine_sum h s = if Nat.eqb s 0 then INR h else 0.

(* instance: wrong_logit.json *)
Definition p : Z := 3%Z.
Definition s : Z := 1%Z.
(* end of instance *)

Theorem refuted : ~ printed.
Proof.
  intros H. specialize (H (Z.to_nat ((p - 1) / 2)) (Z.to_nat s)).
  change (Z.to_nat ((p - 1) / 2)) with 1%nat in H. change (Z.to_nat s) with 1%nat in H.
  cbn zeta in H. specialize (H ltac:(lia) ltac:(lia)).
  unfold cosine_sum in H. cbn [sum Nat.eqb Nat.mul Nat.add] in H.
  replace (2 * PI * INR 1 * INR 1 / INR 3) with (2 * (PI / 3)) in H by (simpl; field).
  rewrite cos_2PI3 in H. lra.
Qed.
