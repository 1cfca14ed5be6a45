(* claim: gradient_features-lemma-b-78
   digest: 82cf1716695f2e37

   Thesis, Lemma B.78: for fixed W, b let F = {g_(a,W,b) : |a| <= B_a2}. Then the Rademacher
   complexity of F is at most sqrt(B_a2^2 (|W|_F^2 B_x^2 + |b|^2) / n)                  (B.595).
   Here g(x) = sum_i a_i relu(<w_i, x> - b_i), |x| <= B_x, and the complexity on a sample of n points
   is E_eps sup_F (1/n) sum_l eps_l g(x_l) with independent fair signs eps_l.

   A corollary of the printed lemma is refuted: d = n = 1 and one neuron. The two signs have the
   suprema up and down, so the complexity is their mean. The instance has x = w = 1 and b = -1. *)
From Coq Require Import Reals ZArith Lra.
Open Scope R_scope.

Definition relu (z : R) : R := Rmax 0 z.

(* All values of eps g(x) for |a| <= B_a2 *)
Definition values (eps x w b B_a2 : R) (v : R) : Prop :=
  exists a, Rabs a <= B_a2 /\ v = eps * (a * relu (w * x - b)).

Definition printed : Prop :=
  forall x w b B_a2 B_x up down : R,
    0 <= B_a2 -> Rabs x <= B_x ->
    is_lub (values 1 x w b B_a2) up ->
    is_lub (values (-1) x w b B_a2) down ->
    (up + down) / 2 <= sqrt (Rsqr B_a2 * (Rsqr w * Rsqr B_x + Rsqr b) / 1).

(* instance: lemma_b_78.json *)
Definition x : Z := 1%Z.
Definition w : Z := 1%Z.
Definition bias : Z := (-1)%Z.
Definition B_a2 : Z := 1%Z.
Definition B_x : Z := 1%Z.
(* end of instance *)

Lemma supremum eps : eps = 1 \/ eps = -1 ->
  is_lub (values eps (IZR x) (IZR w) (IZR bias) (IZR B_a2)) 2.
Proof.
  intros He. unfold x, w, bias, B_a2.
  assert (E : relu (1 * 1 - -1) = 2) by (unfold relu, Rmax; destruct Rle_dec; lra).
  split.
  - intros v [a [Ha ->]]. rewrite E. pose proof (Rle_abs a). pose proof (Rle_abs (- a)).
    rewrite Rabs_Ropp in *. destruct He as [-> | ->]; lra.
  - intros u Hu. apply Hu. exists eps. rewrite E. split.
    + destruct He as [-> | ->]; unfold Rabs; destruct Rcase_abs; lra.
    + destruct He as [-> | ->]; ring.
Qed.

Theorem refuted : ~ printed.
Proof.
  intros H.
  specialize (H (IZR x) (IZR w) (IZR bias) (IZR B_a2) (IZR B_x) 2 2).
  assert (HB : 0 <= IZR B_a2) by (unfold B_a2; lra).
  assert (Hx : Rabs (IZR x) <= IZR B_x) by (unfold x, B_x; rewrite Rabs_R1; lra).
  specialize (H HB Hx (supremum 1 ltac:(lra)) (supremum (-1) ltac:(lra))).
  unfold w, bias, B_a2, B_x, Rsqr in H.
  replace (1 * 1 * (1 * 1 * (1 * 1) + -1 * -1) / 1) with 2 in H by field.
  assert (S : sqrt 2 < 2); [|lra].
  rewrite <- (sqrt_square 2) at 2 by lra. apply sqrt_lt_1; lra.
Qed.
