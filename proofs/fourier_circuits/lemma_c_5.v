(* claim: fourier_circuits-lemma-c-5
   digest: adfedcddfafbbad1

   Thesis, Lemma C.5, quoted from another paper: for a class of networks Theta = {|theta|_{a,b} <= 1},
   where |theta|_{a,b} is the b-norm of the a-norms of its neurons, and neurons that are homogeneous
   of degree nu: let every theta_i* maximise a neuron's class-weighted margin among the neurons of
   norm at most 1, and let alpha_i >= 0 with sum_i alpha_i^nu = 1. Then {alpha_i theta_i*} is in
   Theta and maximises the class-weighted margin over it.

   Read with nu, the degree, for the exponent that is printed as gamma. Only "is in Theta" is used
   here: the lemma lacks b = nu. A neuron is represented by its a-norm, which is 1 at a maximum.
   The instance has b = 2 and nu = 3 = k + 1 for k = 2: (1/2)^3 + (2/3)^3 + (5/6)^3 = 1, but
   (1/2)^2 + (2/3)^2 + (5/6)^2 = 25/18 > 1. (The Python check has two neurons with alpha^3 = 1/2,
   for the same b and nu.) *)
From Coq Require Import Reals List ZArith QArith Qreals Lra Lia.
Import ListNotations.
Open Scope R_scope.

(* sum_i (alpha_i |theta_i|_a)^e for positive integers e; with e = b it is |theta|_{a,b}^b. *)
Definition power_sum (e : nat) (alpha norms : list R) : R :=
  fold_right Rplus 0 (map (fun x => (fst x * snd x) ^ e) (combine alpha norms)).

Definition in_Theta (b : nat) (alpha norms : list R) : Prop := power_sum b alpha norms <= 1.

Definition printed : Prop :=
  forall (b nu : nat) (alpha norms : list R),
    (1 <= b)%nat -> (1 <= nu)%nat ->
    length alpha = length norms ->
    Forall (fun x => 0 <= x) alpha ->
    Forall (fun x => x = 1) norms ->
    fold_right Rplus 0 (map (fun x => x ^ nu) alpha) = 1 ->
    in_Theta b alpha norms.

(* instance: lemma_c_5.json *)
Definition b : Z := 2%Z.
Definition nu : Z := 3%Z.
Definition alpha : list Q := [((1) # 2)%Q; ((2) # 3)%Q; ((5) # 6)%Q].
(* end of instance *)

Theorem refuted : ~ printed.
Proof.
  intros H.
  specialize (H (Z.to_nat b) (Z.to_nat nu) (map Q2R alpha) [1; 1; 1]).
  change (Z.to_nat b) with 2%nat in H. change (Z.to_nat nu) with 3%nat in H.
  unfold in_Theta, power_sum, alpha, Q2R in H. cbn [map combine fst snd fold_right Qnum Qden] in H.
  assert (A : Forall (fun x => 0 <= x) [1 * / 2; 2 * / 3; 5 * / 6])
    by (repeat constructor; lra).
  assert (N : Forall (fun x => x = 1) [1; 1; 1]) by (repeat constructor).
  specialize (H ltac:(lia) ltac:(lia) eq_refl A N ltac:(field)). lra.
Qed.
