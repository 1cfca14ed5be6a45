(* claim: looped_transformers-theorem-8-14
   digest: 50dbe553e1bfc393

   Thesis, Theorem 8.14: let alpha <> 0, theta(0) = -q/alpha, and
     theta(t) = theta(t-1) - eta(t-1) (X^T X theta(t-1) - X^T y)                       (8.2).
   Then TF(Z; Q, P) = alpha theta(T). Proved for all sizes, labels, residual weights and T. *)
From Coq Require Import Reals Lra Lia.
From Proofs.common Require Import sums looped.
Open Scope R_scope.

Fixpoint descent (n d : nat) (X : matrix) (y : nat -> R) (eta : nat -> R) (start : nat -> R)
    (t : nat) : nat -> R :=
  match t with
  | O => start
  | S s => let theta := descent n d X y eta start s in
      fun j => theta j - eta s * (gram n d X theta j - sum n (fun l => y l * X l j))
  end.

Definition statement : Prop :=
  forall (n d : nat) (X : matrix) (y q : nat -> R) (alpha : R) (eta : nat -> R) (T j : nat),
    alpha <> 0 -> (j < d)%nat ->
    transformer n d eta (prompt n d X y q alpha) T j
      = alpha * descent n d X y eta (fun c => - q c / alpha) T j.

Lemma gram_scal n d X a v j : gram n d X (fun c => a * v c) j = a * gram n d X v j.
Proof.
  unfold gram. rewrite <- sum_scal. apply sum_ext. intros l _.
  rewrite (sum_ext d _ (fun c => a * (v c * X l c))) by (intros; ring).
  rewrite sum_scal. ring.
Qed.

(* After t loops the state is again a prompt, with -alpha theta(t) for q. *)
Lemma state n d X y q alpha eta t :
  alpha <> 0 -> forall i j, (i <= n)%nat -> (j <= d)%nat ->
  loops n d eta (prompt n d X y q alpha) t i j
  = prompt n d X y (fun c => - alpha * descent n d X y eta (fun c => - q c / alpha) t c) alpha i j.
Proof.
  intros Ha. induction t as [|t IH]; intros i j Hi Hj.
  - simpl. unfold prompt. destruct (Nat.ltb i n); [reflexivity|].
    destruct (Nat.ltb j d); [field; assumption|reflexivity].
  - simpl. unfold loop. rewrite IH by assumption.
    rewrite (attention_ext _ _ _ _ i j Hi Hj IH), attention_on_a_prompt by assumption.
    unfold prompt. destruct (Nat.ltb_spec i n) as [Hin|Hin].
    + destruct (Nat.eqb_spec i n); [lia|]. simpl. destruct (Nat.ltb j d); ring.
    + replace i with n by lia. rewrite Nat.eqb_refl. simpl.
      destruct (Nat.ltb j d); [|ring].
      rewrite (gram_scal n d X (- alpha)). ring.
Qed.

Theorem proved : statement.
Proof.
  intros n d X y q alpha eta T j Ha Hj. unfold transformer.
  rewrite state by (try assumption; lia). unfold prompt.
  rewrite Nat.ltb_irrefl, (proj2 (Nat.ltb_lt j d) Hj). ring.
Qed.
