(* claim: looped_transformers-lemma-8-13
   digest: 67a528983aa7e986

   Thesis, Lemma 8.13: with Q the identity, P the identity on the first d columns and 0 on the last,
   and M the mask with ones in the first n entries of the last row alone, linear attention
   Attn(Z; Q, P) = (M o (Z Q Z^T)) Z P (Definition 8.6) takes
     Z = [X y; q^T alpha]  to  [0 0; q^T X^T X + alpha y^T X  0].
   Proved for all n, d, X, y, q and alpha. Rows are 0, ..., n and columns 0, ..., d. *)
From Coq Require Import Reals Bool Lra Lia.
From Proofs.common Require Import sums looped.
Open Scope R_scope.

Definition statement : Prop :=
  forall (n d : nat) (X : nat -> nat -> R) (y q : nat -> R) (alpha : R) (i j : nat),
    (i <= n)%nat -> (j <= d)%nat ->
    attention n d (prompt n d X y q alpha) i j =
      if Nat.eqb i n && Nat.ltb j d
      then gram n d X q j + alpha * sum n (fun l => y l * X l j)
      else 0.

Theorem proved : statement.
Proof. exact attention_on_a_prompt. Qed.
