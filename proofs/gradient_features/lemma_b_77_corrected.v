(* claim: gradient_features-lemma-b-77-corrected
   digest: b3b192802557a74f

   Lemma B.77 with the exponent n - 1, proved for all rho, beta > 0 and all h, not for an instance:
   h(n) = -beta/rho^2 + c1 (1 - rho)^(n-1) + c2 (1 + rho)^(n-1) for n >= 1. The constants are those
   that fit h(1) and h(2). The converse, which the lemma does not print, is proved too: all these are
   solutions. *)
From Coq Require Import Reals Lra Lia.
Open Scope R_scope.

Definition recurrence (rho beta : R) (h : nat -> R) : Prop :=
  forall n, (1 <= n)%nat -> h (n + 2)%nat = 2 * h (n + 1)%nat - (1 - rho ^ 2) * h n + beta.

(* c1 and c2 are functions of rho, beta and the first two values alone. *)
Definition statement : Prop :=
  (exists c1 c2 : R -> R -> R -> R -> R,
    forall (rho beta : R) (h : nat -> R),
      0 < rho -> 0 < beta -> recurrence rho beta h ->
      forall n, (1 <= n)%nat ->
        h n = - beta / rho ^ 2 + c1 rho beta (h 1%nat) (h 2%nat) * (1 - rho) ^ (n - 1)
                               + c2 rho beta (h 1%nat) (h 2%nat) * (1 + rho) ^ (n - 1)) /\
  (forall rho beta a b : R,
    0 < rho -> 0 < beta ->
    recurrence rho beta
      (fun n => - beta / rho ^ 2 + a * (1 - rho) ^ (n - 1) + b * (1 + rho) ^ (n - 1))).

Definition c2 (rho beta h1 h2 : R) : R :=
  ((h2 + beta / rho ^ 2) - (1 - rho) * (h1 + beta / rho ^ 2)) / (2 * rho).
Definition c1 (rho beta h1 h2 : R) : R := (h1 + beta / rho ^ 2) - c2 rho beta h1 h2.

Theorem proved : statement.
Proof.
  split; [|intros rho beta a b Hr Hb n Hn; destruct n as [|n]; [lia|];
    replace (S n + 2 - 1)%nat with (S (S n)) by lia; replace (S n + 1 - 1)%nat with (S n) by lia;
    replace (S n - 1)%nat with n by lia; simpl; field; lra].
  exists c1, c2. intros rho beta h Hr Hb H.
  set (a := c1 rho beta (h 1%nat) (h 2%nat)). set (b := c2 rho beta (h 1%nat) (h 2%nat)).
  assert (E : forall n, h (S n) = - beta / rho ^ 2 + a * (1 - rho) ^ n + b * (1 + rho) ^ n /\
                        h (S (S n)) = - beta / rho ^ 2 + a * (1 - rho) ^ S n + b * (1 + rho) ^ S n).
  { induction n as [|n [IH1 IH2]].
    - subst a b. unfold c1, c2. split; simpl; field; lra.
    - split; [exact IH2|].
      specialize (H (S n) ltac:(lia)).
      replace (S n + 2)%nat with (S (S (S n))) in H by lia.
      replace (S n + 1)%nat with (S (S n)) in H by lia.
      rewrite H, IH1, IH2. simpl. field. lra. }
  intros n Hn. destruct n as [|n]; [lia|].
  replace (S n - 1)%nat with n by lia. apply E.
Qed.
