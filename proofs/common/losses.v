(* Losses as in Assumption 3.1 of the thesis (Section 3.3), error and risk. *)
From Coq Require Import Reals Lra.
From Proofs.common Require Import sums.
Open Scope R_scope.

Definition lipschitz (c : R) (l : R -> R) : Prop :=
  forall u v, Rabs (l u - l v) <= c * Rabs (u - v).

Definition convex (l : R -> R) : Prop :=
  forall t u v, 0 <= t <= 1 -> l (t * u + (1 - t) * v) <= t * l u + (1 - t) * l v.

Definition decreasing (l : R -> R) : Prop := forall u v, u <= v -> l v <= l u.

(* l(z) tends to 0 as z tends to infinity *)
Definition vanishes (l : R -> R) : Prop :=
  forall e, 0 < e -> exists z0, forall z, z0 <= z -> Rabs (l z) <= e.

(* The condition |l'(0)| = Theta(1) has no content for a single loss and is left out. A loss that
   fails what is left fails the assumption; the hinge loss, the instance wherever the assumption
   is a hypothesis, has |l'(0)| = 1. *)
Record assumption_3_1 (l : R -> R) : Prop := {
  is_lipschitz : lipschitz 1 l;
  is_convex : convex l;
  is_decreasing : decreasing l;
  one_at_zero : l 0 = 1;
  zero_at_infinity : vanishes l
}.

Definition hinge (z : R) : R := Rmax 0 (1 - z).

(* The hinge loss meets the assumption. *)
Lemma hinge_meets_it : assumption_3_1 hinge.
Proof.
  constructor.
  - intros u v. unfold hinge, Rmax, Rabs.
    repeat destruct Rle_dec; repeat destruct Rcase_abs; lra.
  - intros t u v Ht. unfold hinge.
    apply Rmax_lub.
    + apply Rplus_le_le_0_compat; apply Rmult_le_pos; try lra; apply Rmax_l.
    + replace (1 - (t * u + (1 - t) * v)) with (t * (1 - u) + (1 - t) * (1 - v)) by ring.
      apply Rplus_le_compat; apply Rmult_le_compat_l; try lra; apply Rmax_r.
  - intros u v H. unfold hinge, Rmax. repeat destruct Rle_dec; lra.
  - unfold hinge, Rmax. destruct Rle_dec; lra.
  - intros e He. exists 1. intros z Hz. unfold hinge, Rmax.
    destruct Rle_dec; rewrite Rabs_right; lra.
Qed.

(* The sign function with sign(0) = 0; no instance depends on that convention. *)
Definition sign (x : R) : R :=
  if Rlt_dec 0 x then 1 else if Rlt_dec x 0 then -1 else 0.

(* The probabilities of n atoms. *)
Definition distribution (n : nat) (prob : nat -> R) : Prop :=
  (forall x, (x < n)%nat -> 0 <= prob x) /\ sum n prob = 1.

Definition error (n : nat) (prob y g : nat -> R) : R :=
  sum n (fun x => prob x * if Req_EM_T (sign (g x)) (y x) then 0 else 1).

Definition risk (l : R -> R) (n : nat) (prob y g : nat -> R) : R :=
  sum n (fun x => prob x * l (y x * g x)).
