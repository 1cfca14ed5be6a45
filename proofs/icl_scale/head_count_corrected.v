(* claim: icl_scale-head-count-corrected
   digest: 3764a4c9a5c8d30b

   Four heads solve all tasks for every d >= 2, powers of two or not, and fewer do not. The four have
   the diagonals +-(p - (d-1)/2), p = 0, ..., d - 1, with a = -1, and +-(d-1)/2 with a = 1, in units
   of 1/(2 gamma); the claim counts features from 1. *)
From Coq Require Import Reals List Lra Lia.
From Proofs.common Require Import sums parity_heads.
Import ListNotations.
Open Scope R_scope.

Definition ladder (d p : nat) : R := INR p - (INR d - 1) / 2.
Definition level (d p : nat) : R := (INR d - 1) / 2.
Definition minus (b : nat -> R) (p : nat) : R := - b p.

Definition four_heads (d : nat) (gamma : R) : network :=
  [ Head (-1) (diagonal gamma (ladder d)); Head (-1) (diagonal gamma (minus (ladder d)));
    Head 1 (diagonal gamma (level d)); Head 1 (diagonal gamma (minus (level d))) ].

(* These four suffice, and no network with fewer heads does. *)
Definition statement : Prop :=
  forall (d : nat) (gamma : R),
    (2 <= d)%nat -> 0 < gamma < 1 / 4 ->
    (admissible (four_heads d gamma) /\ zero_loss d gamma (four_heads d gamma)) /\
    (forall g, admissible g -> zero_loss d gamma g -> (4 <= length g)%nat).

(* Different indices differ by at least 1, and two of them add up to at most 2 d - 3. *)
Lemma apart i j : i <> j -> INR i + 1 <= INR j \/ INR j + 1 <= INR i.
Proof.
  intros H. destruct (Nat.lt_gt_cases i j) as [C _]. destruct (C H) as [L|L];
    [left|right]; rewrite <- S_INR; apply le_INR; lia.
Qed.

Lemma four_heads_solve d gamma : 0 < gamma -> zero_loss d gamma (four_heads d gamma).
Proof.
  intros Hg i j phi Hi Hj Hij Hphi. apply hinge_zero.
  unfold output, four_heads. cbn [map total fold_right weight].
  rewrite !pre_diagonal by assumption.
  pose proof (Hphi i Hi) as Si. pose proof (Hphi j Hj) as Sj.
  set (s := phi i) in *. set (t := phi j) in *. clearbody s t.
  pose proof (apart i j Hij) as D.
  assert (Bi : INR i + 1 <= INR d) by (rewrite <- S_INR; apply le_INR; lia).
  assert (Bj : INR j + 1 <= INR d) by (rewrite <- S_INR; apply le_INR; lia).
  pose proof (pos_INR i). pose proof (pos_INR j).
  unfold minus, ladder, level, relu, Rmax.
  destruct Si as [-> | ->]; destruct Sj as [-> | ->]; destruct D as [D|D];
    repeat destruct Rle_dec; lra.
Qed.

Lemma total_positive l : 1 <= total l -> exists x, In x l /\ 0 < x.
Proof.
  induction l as [|x l IH]; simpl; intros H; [lra|].
  destruct (Rlt_dec 0 x) as [P|N]; [exists x; auto|].
  destruct IH as [y [Hy P]]; [lra|]. exists y. auto.
Qed.

(* The network -g has the weights negated. *)
Definition negate (h : head) : head := Head (- weight h) (matrix h).

Lemma output_negate d gamma g i j phi :
  output d gamma (map negate g) i j phi = - output d gamma g i j phi.
Proof.
  unfold output. induction g as [|h g IH]; simpl; [ring|]. rewrite IH.
  unfold pre. simpl. ring.
Qed.

(* Some head of positive weight is active where the output is at least 1. *)
Lemma active d gamma g i j phi :
  1 <= output d gamma g i j phi ->
  exists h, In h g /\ 0 < weight h /\ 0 < pre d gamma h i j phi.
Proof.
  intros H. destruct (total_positive _ H) as [x [Hx P]].
  apply in_map_iff in Hx. destruct Hx as [h [<- Hh]]. exists h. split; [assumption|].
  unfold relu, Rmax in P. destruct (Rle_dec 0 (pre d gamma h i j phi)) as [L|L]; [|lra].
  destruct (Req_EM_T (pre d gamma h i j phi) 0) as [E|E]; [rewrite E in P; lra|].
  split; [|lra]. nra.
Qed.

Lemma pre_opposite d gamma h i j phi :
  pre d gamma h i j (fun p => - phi p) = - pre d gamma h i j phi.
Proof.
  unfold pre.
  rewrite (sum_ext d _ (fun p => -1 * ((matrix h i p + matrix h j p) * phi p))) by (intros; ring).
  rewrite sum_scal. ring.
Qed.

Definition positive (h : head) : bool := if Rlt_dec 0 (weight h) then true else false.
Definition negative (h : head) : bool := if Rlt_dec (weight h) 0 then true else false.

(* One head cannot be active at phi and at -phi, so two of positive weight are needed. *)
Lemma two_positive d gamma g i j phi :
  1 <= output d gamma g i j phi -> 1 <= output d gamma g i j (fun p => - phi p) ->
  (2 <= length (filter positive g))%nat.
Proof.
  intros H K. destruct (active _ _ _ _ _ _ H) as [h [Ih [Wh Ph]]].
  destruct (active _ _ _ _ _ _ K) as [k [Ik [Wk Pk]]]. rewrite pre_opposite in Pk.
  assert (Fh : In h (filter positive g))
    by (apply filter_In; split; [assumption|unfold positive; destruct Rlt_dec; congruence]).
  assert (Fk : In k (filter positive g))
    by (apply filter_In; split; [assumption|unfold positive; destruct Rlt_dec; congruence]).
  destruct (filter positive g) as [|a [|b l]]; [destruct Fh| |simpl; lia].
  destruct Fh as [<-|[]]. destruct Fk as [<-|[]]. lra.
Qed.

Lemma filter_negate g : length (filter positive (map negate g)) = length (filter negative g).
Proof.
  induction g as [|h g IH]; [reflexivity|]. simpl.
  assert (E : positive (negate h) = negative h).
  { unfold positive, negative, negate. cbn. destruct Rlt_dec, Rlt_dec; try reflexivity; lra. }
  rewrite E. destruct (negative h); simpl; rewrite IH; reflexivity.
Qed.

Lemma both_kinds g : (length (filter positive g) + length (filter negative g) <= length g)%nat.
Proof.
  induction g as [|h g IH]; [simpl; lia|]. simpl.
  assert (E : positive h = true -> negative h = false).
  { unfold positive, negative. destruct Rlt_dec, Rlt_dec; try congruence; lra. }
  destruct (positive h) eqn:Ep; [rewrite E by reflexivity; simpl; lia|].
  destruct (negative h); simpl; lia.
Qed.

Theorem proved : statement.
Proof.
  intros d gamma Hd Hg. split.
  - split; [repeat constructor; cbn; lra|]. apply four_heads_solve. lra.
  - intros g _ Hz.
    assert (Hs : forall s t : R, (s = 1 \/ s = -1) -> (t = 1 \/ t = -1) ->
      1 <= s * t * output d gamma g 0 1 (fun p => if Nat.eqb p 0 then s else t)).
    { intros s t Vs Vt. apply hinge_zero.
      apply (Hz 0%nat 1%nat (fun p => if Nat.eqb p 0 then s else t)); try lia.
      intros p _. destruct (Nat.eqb p 0); assumption. }
    assert (F : forall s t : R, output d gamma g 0 1 (fun p => - (if Nat.eqb p 0 then s else t))
      = output d gamma g 0 1 (fun p => if Nat.eqb p 0 then - s else - t)).
    { intros s t. unfold output. f_equal. apply map_ext. intros h. do 2 f_equal. unfold pre.
      f_equal. apply sum_ext. intros p _. destruct (Nat.eqb p 0); reflexivity. }
    assert (P : (2 <= length (filter positive g))%nat).
    { apply (two_positive d gamma g 0 1 (fun p => if Nat.eqb p 0 then 1 else 1)).
      - pose proof (Hs 1 1 ltac:(lra) ltac:(lra)). lra.
      - rewrite F. pose proof (Hs (- (1)) (- (1)) ltac:(lra) ltac:(lra)). lra. }
    assert (N : (2 <= length (filter negative g))%nat).
    { rewrite <- filter_negate.
      apply (two_positive d gamma (map negate g) 0 1 (fun p => if Nat.eqb p 0 then 1 else -1));
        rewrite output_negate.
      - pose proof (Hs 1 (-1) ltac:(lra) ltac:(lra)). lra.
      - rewrite F. pose proof (Hs (- (1)) (- -1) ltac:(lra) ltac:(lra)). lra. }
    pose proof (both_kinds g). lia.
Qed.
