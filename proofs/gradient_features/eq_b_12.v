(* claim: gradient_features-eq-b-12
   digest: a35385bb7e4738ca

   Thesis, Appendix B.4.1, (B.12): with W and b fixed, the loss is convex and L-smooth in a, eta <=
   1/L, "thus with gradient descent, we have"
     (1/T) sum_{t=1}^T L(a(t)) - L(a_opt) <= |a(1) - a_opt|^2 / (2 T eta),
   where a_opt is the optimum of bounded norm |a_opt| <= B_a2, (B.3) to (B.11).

   A corollary is refuted: one neuron that gives 1 on one sample with the label 1, a(1) = 0. Then
   L(a) = l(a), for any loss l that meets Assumption 3.1, with the derivative l', and is L-smooth.
   The instance is the hinge loss smoothed between 1/2 and 3/2, L = 1, T = 2, eta = a_opt = 1/2: the
   left side is 1/4, the right side 1/8. (The Python check has a logistic loss.) *)
From Coq Require Import Reals ZArith QArith Qreals Lra Lia.
From Proofs.common Require Import sums losses.
Open Scope R_scope.

(* Convex and L-smooth, with the derivative g. *)
Definition smooth_convex (L : R) (f g : R -> R) : Prop :=
  forall u v, f u + g u * (v - u) <= f v <= f u + g u * (v - u) + L / 2 * Rsqr (v - u).

(* descent t is a(t + 1) *)
Fixpoint descent (g : R -> R) (eta : R) (t : nat) : R :=
  match t with
  | O => 0
  | S s => descent g eta s - eta * g (descent g eta s)
  end.

Definition printed : Prop :=
  forall (l slope : R -> R) (L eta B star : R) (T : nat),
    assumption_3_1 l -> smooth_convex L l slope ->
    0 < L -> 0 < eta <= 1 / L -> (1 <= T)%nat ->
    Rabs star <= B -> (forall a, Rabs a <= B -> l star <= l a) ->
    sum T (fun t => l (descent slope eta t)) / INR T - l star <= Rsqr (0 - star) / (2 * INR T * eta).

(* instance: eq_b_12.json *)
Definition step : Q := ((1) # 2)%Q.
Definition radius : Q := ((1) # 2)%Q.
Definition T : Z := 2%Z.
(* end of instance *)

Definition smoothed (z : R) : R :=
  if Rle_dec z (1 / 2) then 1 - z else if Rle_dec z (3 / 2) then Rsqr (3 / 2 - z) / 2 else 0.
Definition slope (z : R) : R :=
  if Rle_dec z (1 / 2) then -1 else if Rle_dec z (3 / 2) then z - 3 / 2 else 0.

Lemma smoothed_is_smooth : smooth_convex 1 smoothed slope.
Proof.
  intros u v. unfold smoothed, slope, Rsqr.
  pose proof (pow2_ge_0 (v - 1 / 2)). pose proof (pow2_ge_0 (v - 3 / 2)).
  pose proof (pow2_ge_0 (u - 1 / 2)). pose proof (pow2_ge_0 (u - 3 / 2)).
  pose proof (pow2_ge_0 (v - u)). pose proof (pow2_ge_0 (v - u - 1)).
  pose proof (pow2_ge_0 (v - u + 1)).
  repeat destruct Rle_dec; split; nra.
Qed.

Lemma slope_between z : -1 <= slope z <= 0.
Proof. unfold slope. repeat destruct Rle_dec; lra. Qed.

Lemma smoothed_meets_the_assumption : assumption_3_1 smoothed.
Proof.
  constructor.
  - intros u v.
    destruct (smoothed_is_smooth u v) as [A _]. destruct (smoothed_is_smooth v u) as [B _].
    destruct (slope_between u) as [U1 U2]. destruct (slope_between v) as [V1 V2].
    unfold Rabs. repeat destruct Rcase_abs; nra.
  - intros t u v Ht. set (w := t * u + (1 - t) * v).
    destruct (smoothed_is_smooth w u) as [A _]. destruct (smoothed_is_smooth w v) as [B _].
    apply (Rmult_le_compat_l t) in A; [|lra]. apply (Rmult_le_compat_l (1 - t)) in B; [|lra].
    assert (E : slope w * (t * (u - w) + (1 - t) * (v - w)) = 0) by (unfold w; ring). lra.
  - intros u v H. destruct (smoothed_is_smooth v u) as [A _].
    destruct (slope_between v) as [V1 V2].
    assert (0 <= slope v * (u - v)) by nra. lra.
  - unfold smoothed. repeat destruct Rle_dec; lra.
  - intros e He. exists 2. intros z Hz. unfold smoothed.
    repeat destruct Rle_dec; try lra. rewrite Rabs_R0. lra.
Qed.

Theorem refuted : ~ printed.
Proof.
  intros H.
  specialize (H smoothed slope 1 (Q2R step) (Q2R radius) (Q2R radius) (Z.to_nat T)
    smoothed_meets_the_assumption smoothed_is_smooth ltac:(lra)).
  unfold step, radius, T, Q2R in H. cbn [Qnum Qden Z.to_nat Pos.to_nat] in H.
  change (Pos.to_nat 2) with 2%nat in H.
  assert (B : Rabs (1 * / 2) <= 1 * / 2) by (rewrite Rabs_right; lra).
  assert (M : forall a, Rabs a <= 1 * / 2 -> smoothed (1 * / 2) <= smoothed a).
  { intros a Ha. apply (is_decreasing _ smoothed_meets_the_assumption).
    pose proof (Rle_abs a). lra. }
  specialize (H ltac:(lra) ltac:(lia) B M). revert H.
  cbn [sum descent INR]. unfold slope, smoothed, Rsqr.
  repeat (destruct Rle_dec; try lra).
Qed.
