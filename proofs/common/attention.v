(* Self-attention on n tokens (thesis, Section 9.3): rows Q_i, K_i, V_i of length d. *)
From Coq Require Import Reals Lra Lia.
From Proofs.common Require Import sums.
Open Scope R_scope.

Definition matrix := nat -> nat -> R.

(* (Q K^T / sqrt d)_ij *)
Definition score (d : nat) (Q K : matrix) (i j : nat) : R :=
  sum d (fun c => Q i c * K j c) / sqrt (INR d).

Definition softmax (n : nat) (z : nat -> R) (j : nat) : R :=
  exp (z j) / sum n (fun l => exp (z l)).

(* M_c: 1 on and below the diagonal, 0 above *)
Definition mask (i j : nat) : R := if Nat.leb j i then 1 else 0.

(* Two prompts that agree up to token i. *)
Definition agree (i : nat) (A B : matrix) : Prop := forall j c, (j <= i)%nat -> A j c = B j c.

(* What "causal" means: a row of the output does not depend on later tokens. *)
Definition causal (attention : nat -> nat -> matrix -> matrix -> matrix -> matrix) : Prop :=
  forall (n d : nat) (Q K V Q' K' V' : matrix) (i c : nat),
    (1 <= d)%nat -> (i < n)%nat ->
    agree i Q Q' -> agree i K K' -> agree i V V' ->
    attention n d Q K V i c = attention n d Q' K' V' i c.
