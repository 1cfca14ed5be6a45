(* Two-layer attention on sparse parities (thesis, Section 5.5), in the limit of long prompts.

   As in the printed proof (Appendix D.3.1), y^T X / N is replaced by its limit z_tau, which is
   2 gamma at i_tau and j_tau and 0 elsewhere, and V = G^T W G, which has the norm of W. *)
From Coq Require Import Reals List Lra Lia.
From Proofs.common Require Import sums.
Import ListNotations.
Open Scope R_scope.

Definition relu (x : R) : R := Rmax 0 x.
Definition hinge (z : R) : R := Rmax 0 (1 - z).

(* One attention head: its weight a in [-1, 1] and its matrix V (d by d). *)
Record head := Head { weight : R; matrix : nat -> nat -> R }.
Definition network := list head.
Definition admissible (g : network) : Prop := Forall (fun h => -1 <= weight h <= 1) g.

(* phi in {-1, 1}^d *)
Definition signs (d : nat) (phi : nat -> R) : Prop :=
  forall p, (p < d)%nat -> phi p = 1 \/ phi p = -1.

(* z_tau^T V phi for the task (i, j) *)
Definition pre (d : nat) (gamma : R) (h : head) (i j : nat) (phi : nat -> R) : R :=
  2 * gamma * sum d (fun p => (matrix h i p + matrix h j p) * phi p).

Definition total : list R -> R := fold_right Rplus 0.

Definition output (d : nat) (gamma : R) (g : network) (i j : nat) (phi : nat -> R) : R :=
  total (map (fun h => weight h * relu (pre d gamma h i j phi)) g).

(* The expected hinge loss is 0. Every task and every phi has positive probability, since
   0 < gamma < 1/4 and 0 < p_T < 1, so this means loss 0 on each of them. *)
Definition zero_loss (d : nat) (gamma : R) (g : network) : Prop :=
  forall i j phi, (i < d)%nat -> (j < d)%nat -> i <> j -> signs d phi ->
  hinge (phi i * phi j * output d gamma g i j phi) = 0.

(* The sum of the squared Frobenius norms, which the weight decay penalises. *)
Definition cost (d : nat) (g : network) : R :=
  total (map (fun h => sum d (fun i => sum d (fun p => Rsqr (matrix h i p)))) g).

(* diag(b) / (2 gamma) *)
Definition diagonal (gamma : R) (b : nat -> R) (i p : nat) : R :=
  if Nat.eqb i p then b i / (2 * gamma) else 0.

Lemma hinge_zero z : 1 <= z <-> hinge z = 0.
Proof. unfold hinge, Rmax. destruct (Rle_dec 0 (1 - z)); lra. Qed.

Lemma pre_diagonal d gamma a b i j phi :
  0 < gamma -> (i < d)%nat -> (j < d)%nat -> i <> j ->
  pre d gamma (Head a (diagonal gamma b)) i j phi = b i * phi i + b j * phi j.
Proof.
  intros Hg Hi Hj Hij. unfold pre. simpl.
  rewrite (sum_ext d _ (fun p => diagonal gamma b i p * phi p + diagonal gamma b j p * phi p))
    by (intros; lra).
  rewrite sum_plus.
  rewrite (sum_single d i), (sum_single d j); auto; unfold diagonal;
    try (intros p _ Hp; destruct (Nat.eqb_spec j p); [congruence|lra]);
    try (intros p _ Hp; destruct (Nat.eqb_spec i p); [congruence|lra]).
  rewrite !Nat.eqb_refl. field. lra.
Qed.
