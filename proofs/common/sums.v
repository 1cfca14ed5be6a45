(* Finite sums of real numbers, shared by the proofs. *)
From Coq Require Import Reals Lra Lia.
Open Scope R_scope.

(* sum n f = f 0 + f 1 + ... + f (n - 1) *)
Fixpoint sum (n : nat) (f : nat -> R) : R :=
  match n with
  | O => 0
  | S m => sum m f + f m
  end.

Lemma sum_ext n f g : (forall p, (p < n)%nat -> f p = g p) -> sum n f = sum n g.
Proof.
  induction n as [|n IH]; simpl; intros H; [reflexivity|].
  rewrite IH by (intros; apply H; lia). rewrite H by lia. reflexivity.
Qed.

Lemma sum_plus n f g : sum n (fun p => f p + g p) = sum n f + sum n g.
Proof. induction n as [|n IH]; simpl; [lra|rewrite IH; lra]. Qed.

Lemma sum_scal n c f : sum n (fun p => c * f p) = c * sum n f.
Proof. induction n as [|n IH]; simpl; [lra|rewrite IH; lra]. Qed.

Lemma sum_minus n f g : sum n (fun p => f p - g p) = sum n f - sum n g.
Proof. induction n as [|n IH]; simpl; [lra|rewrite IH; lra]. Qed.

Lemma sum_le n f g : (forall p, (p < n)%nat -> f p <= g p) -> sum n f <= sum n g.
Proof.
  induction n as [|n IH]; simpl; intros H; [lra|].
  apply Rplus_le_compat; [apply IH; intros; apply H; lia|apply H; lia].
Qed.

Lemma sum_nonneg n f : (forall p, (p < n)%nat -> 0 <= f p) -> 0 <= sum n f.
Proof.
  induction n as [|n IH]; simpl; intros H; [lra|].
  apply Rplus_le_le_0_compat; [apply IH; intros; apply H; lia|apply H; lia].
Qed.

Lemma sum_zero n f : (forall p, (p < n)%nat -> f p = 0) -> sum n f = 0.
Proof.
  induction n as [|n IH]; simpl; intros H; [reflexivity|].
  rewrite IH by (intros; apply H; lia). rewrite H by lia. lra.
Qed.

(* A sum with a single term that is not zero. *)
Lemma sum_single n i f :
  (i < n)%nat -> (forall p, (p < n)%nat -> p <> i -> f p = 0) -> sum n f = f i.
Proof.
  induction n as [|n IH]; intros Hi H; [lia|]. simpl.
  destruct (PeanoNat.Nat.eq_dec i n) as [->|Hne].
  - rewrite sum_zero by (intros; apply H; lia). lra.
  - rewrite IH; [|lia|intros; apply H; lia]. rewrite (H n) by lia. lra.
Qed.

Lemma sum_exchange n m f :
  sum n (fun i => sum m (fun j => f i j)) = sum m (fun j => sum n (fun i => f i j)).
Proof.
  induction n as [|n IH]; simpl.
  - symmetry. apply sum_zero. reflexivity.
  - rewrite IH, <- sum_plus. reflexivity.
Qed.
