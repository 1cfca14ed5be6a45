(* claim: feature_emergence-gaussian-labels-corrected
   digest: 618395bd7e163459

   With the bias k - 1 the sum of ReLUs equals the label at every centre:
     sum_i a_i ReLU(<c_i, x> - k + 1) = label(x).
   Proved for every k >= 1, by induction on k. *)
From Coq Require Import ZArith List Lia.
From Proofs.common Require Import cube.
Import ListNotations.
Open Scope Z_scope.

Definition statement : Prop :=
  forall (k : nat) (x : list Z),
    (1 <= k)%nat -> In x (centres k) -> network k (Z.of_nat k - 1) x = label x.

(* The first sign of the centres splits the sum in two. *)
Lemma split k bias s x :
  network (S k) bias (s :: x) = network k (bias - s) x - network k (bias + s) x.
Proof.
  unfold network. cbn [centres]. rewrite map_app, !map_map.
  assert (A : forall l r : list Z, fold_right Z.add 0 (l ++ r)
    = fold_right Z.add 0 l + fold_right Z.add 0 r)
    by (induction l as [|a l IH]; intros r; cbn; [lia|rewrite IH; lia]).
  rewrite A, <- Z.add_opp_r. apply f_equal2.
  - apply f_equal. apply map_ext. intros c. cbn [label fold_right inner].
    change (fold_right Z.mul 1 c) with (label c).
    replace (1 * s + inner c x - bias) with (inner c x - (bias - s)) by ring. ring.
  - induction (centres k) as [|c l IH]; [reflexivity|]. cbn [map fold_right].
    rewrite IH. cbn [label fold_right inner].
    change (fold_right Z.mul 1 c) with (label c).
    replace (-1 * s + inner c x - bias) with (inner c x - (bias + s)) by ring. ring.
Qed.

Lemma signs k x :
  In x (centres k) ->
  length x = k /\ forall c, In c (centres k) -> inner c x <= Z.of_nat k.
Proof.
  revert x. induction k as [|k IH]; cbn [centres]; intros x Hx.
  - destruct Hx as [<-|[]]. split; [reflexivity|]. intros c [<-|[]]. cbn. lia.
  - apply in_app_iff in Hx.
    assert (E : exists s q, x = s :: q /\ (s = 1 \/ s = -1) /\ In q (centres k)).
    { destruct Hx as [H|H]; apply in_map_iff in H; destruct H as [q [<- Hq]];
      [exists 1, q|exists (-1), q]; auto. }
    destruct E as [s [q [-> [Hs Hq]]]]. destruct (IH q Hq) as [L B]. split; [cbn; lia|].
    intros c Hc. apply in_app_iff in Hc.
    destruct Hc as [H|H]; apply in_map_iff in H; destruct H as [c' [<- Hc']];
      specialize (B c' Hc'); cbn [inner]; destruct Hs as [-> | ->]; lia.
Qed.

(* Where the bias is at least k, no ReLU is active. *)
Lemma silent k bias x : In x (centres k) -> Z.of_nat k <= bias -> network k bias x = 0.
Proof.
  intros Hx Hb. destruct (signs k x Hx) as [_ B]. clear Hx. unfold network.
  induction (centres k) as [|c l IH]; [reflexivity|]. cbn [map fold_right].
  rewrite IH by (intros; apply B; right; assumption).
  specialize (B c (or_introl eq_refl)). unfold relu. rewrite Z.max_l by lia. ring.
Qed.

Theorem proved : statement.
Proof.
  intros k x Hk. revert x. induction k as [|k IH]; [lia|]. intros x Hx.
  cbn [centres] in Hx. apply in_app_iff in Hx.
  assert (E : exists s q, x = s :: q /\ (s = 1 \/ s = -1) /\ In q (centres k)).
  { destruct Hx as [H|H]; apply in_map_iff in H; destruct H as [q [<- Hq]];
      [exists 1, q|exists (-1), q]; auto. }
  destruct E as [s [q [-> [Hs Hq]]]]. rewrite split. cbn [label fold_right].
  change (fold_right Z.mul 1 q) with (label q).
  destruct k as [|k].
  - destruct Hq as [<-|[]]. destruct Hs as [-> | ->]; reflexivity.
  - destruct Hs as [-> | ->].
    + replace (Z.of_nat (S (S k)) - 1 - 1) with (Z.of_nat (S k) - 1) by lia.
      rewrite IH by (auto; lia). rewrite silent by (auto; lia). ring.
    + replace (Z.of_nat (S (S k)) - 1 + -1) with (Z.of_nat (S k) - 1) by lia.
      rewrite IH by (auto; lia). rewrite silent by (auto; lia). ring.
Qed.
