(* Laws of a random vector w in R^d that give every open box positive probability, such as a
   Gaussian; E f is the mean of f(w). Only the properties below are used, so what is refuted for all
   these laws is refuted for the Gaussian. That the Gaussian has them is not proved here; functions
   without a mean may be given the value 1. *)
From Coq Require Import Reals Lra Lia.
From Proofs.common Require Import sums.
Open Scope R_scope.

Definition positive_on_a_box (d : nat) (f : (nat -> R) -> R) : Prop :=
  exists (a : nat -> R) (r : R), 0 < r /\
    forall w, (forall c, (c < d)%nat -> Rabs (w c - a c) < r) -> 0 < f w.

Record full_support (d : nat) (E : ((nat -> R) -> R) -> R) : Prop := {
  mean_of_zero : forall f, (forall w, f w = 0) -> E f = 0;
  mean_positive : forall f, (forall w, 0 <= f w) -> positive_on_a_box d f -> 0 < E f
}.

Definition dot (d : nat) (a b : nat -> R) : R := sum d (fun c => a c * b c).
Definition relu (z : R) : R := Rmax 0 z.
Definition both (d : nat) (w x y : nat -> R) : R :=
  if Rle_dec 0 (dot d w x) then (if Rle_dec 0 (dot d w y) then 1 else 0) else 0.

(* The i-th unit vector *)
Definition unit (i c : nat) : R := if Nat.eqb c i then 1 else 0.

Lemma dot_unit d w i : (i < d)%nat -> dot d w (unit i) = w i.
Proof.
  intros Hi. unfold dot. rewrite (sum_single d i); [unfold unit; rewrite Nat.eqb_refl; ring|assumption|].
  intros p _ Hp. unfold unit. destruct (Nat.eqb_spec p i); [contradiction|ring].
Qed.

(* A box on which w_0 and w_1 are positive. *)
Lemma first_quadrant d f :
  (2 <= d)%nat -> (forall w, 0 < w 0%nat -> 0 < w 1%nat -> 0 < f w) -> positive_on_a_box d f.
Proof.
  intros Hd H. exists (fun _ => 1), 1. split; [lra|]. intros w Hw.
  pose proof (Rabs_def2 _ _ (Hw 0%nat ltac:(lia))). pose proof (Rabs_def2 _ _ (Hw 1%nat ltac:(lia))).
  apply H; lra.
Qed.
