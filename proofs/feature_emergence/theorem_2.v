(* claim: feature_emergence-theorem-2
   digest: edd22cd30f3e119f

   Theorem 2 (Section 4) and its restatement, Theorem 28 (Appendix C): "Suppose Psi is a
   data-independent feature mapping of dimension N with bounded features, i.e.,
   Psi : X -> [-1, 1]^N. For B > 0, the family of linear models on Psi with bounded norm B is
   H_B = {h : h(x~) = <Psi(x~), w>, |w|_2 <= B}. If 3 < k <= D/16 and k is odd, then there exists
   D in F_Xi such that all h in H_B have hinge-loss at least p_o (1 - sqrt(2N) B / 2^k)."

   Section 3 has the family F_Xi with Xi = (d, D, k, gamma, p_o): M is an orthonormal dictionary
   with D columns in R^d, the pattern vector is in {0, 1}^D, A is a set of k relevant patterns,
   P is a subset of {1, ..., k}, x~ = M phi, y = 1 if the number of relevant patterns is in P and
   -1 otherwise, with (A0), (A1), (A2) below and p_o <= 1/2.

   Read for every Psi that is fixed before the distribution, and for every gamma > 0 and p_o > 0
   for which the family has members, since the theorem restricts neither. A distribution of patterns
   has finitely many atoms; here they are 0, ..., n - 1, and phi w j says whether atom w has
   pattern j. "There exists D in F_Xi" may choose the dictionary too. Vectors are functions of
   which the first coordinates count.

   The instance is gamma = 1/2, where the linear functions of x~ suffice for every distribution of
   the family. The last theorem has sqrt(2 N B), the other way to read where the root ends. The second corner on the page, small p_o,
   is not formalised. *)
From Coq Require Import Reals ZArith QArith Qreals List Bool Lra Lia.
From Proofs.common Require Import sums losses.
Import ListNotations.
Open Scope R_scope.

Definition bit (b : bool) : R := if b then 1 else 0.
Definition count (n : nat) (f : nat -> bool) : nat := length (filter f (seq 0 n)).

Definition orthonormal (d D : nat) (M : nat -> nat -> R) : Prop :=
  forall i j, (i < D)%nat -> (j < D)%nat ->
  sum d (fun a => M a i * M a j) = bit (Nat.eqb i j).

(* x~ = M phi *)
Definition input (D : nat) (M : nat -> nat -> R) (phi : nat -> bool) (a : nat) : R :=
  sum D (fun j => M a j * bit (phi j)).

Definition relevant (D : nat) (A phi : nat -> bool) : nat := count D (fun j => A j && phi j).
Definition label (D : nat) (A P phi : nat -> bool) : R :=
  if P (relevant D A phi) then 1 else -1.

Definition mean (n : nat) (prob f : nat -> R) : R := sum n (fun w => prob w * f w).

(* Whether phi agrees with v in all patterns but j. *)
Definition others_are (D j : nat) (v phi : nat -> bool) : bool :=
  forallb (fun i => Nat.eqb i j || eqb (phi i) (v i)) (seq 0 D).

(* The distribution with the atoms 0, ..., n - 1 is in F_Xi. *)
Record family (d D k : nat) (gamma p_o : R) (M : nat -> nat -> R) (A P : nat -> bool)
    (n : nat) (prob : nat -> R) (phi : nat -> nat -> bool) : Prop := {
  dictionary : orthonormal d D M;
  k_are_relevant : count D A = k;
  P_in_1_to_k : forall m, P m = true -> (1 <= m <= k)%nat;
  probabilities : distribution n prob;
  A0 : mean n prob (fun w => bit (P (relevant D A (phi w)))) = 1 / 2;
  A1 : forall i, (i < D)%nat -> A i = true ->
       gamma = mean n prob (fun w => label D A P (phi w) * bit (phi w i))
               - mean n prob (fun w => label D A P (phi w)) * mean n prob (fun w => bit (phi w i));
  A1_positive : 0 < gamma;
  A2_identical : forall j, (j < D)%nat -> A j = false ->
       mean n prob (fun w => bit (phi w j)) = p_o;
  A2_independent : forall j v, (j < D)%nat -> A j = false ->
       mean n prob (fun w => bit (phi w j && others_are D j v (phi w)))
       = p_o * mean n prob (fun w => bit (others_are D j v (phi w)));
  A2_half : p_o <= 1 / 2
}.

(* Features of R^d with values in [-1, 1]. *)
Definition features (d N : nat) (Psi : nat -> (nat -> R) -> R) : Prop :=
  forall i, (i < N)%nat ->
    (forall x, -1 <= Psi i x <= 1) /\
    (forall x x', (forall a, (a < d)%nat -> x a = x' a) -> Psi i x = Psi i x').

Definition linear (N : nat) (Psi : nat -> (nat -> R) -> R) (w : nat -> R) (x : nat -> R) : R :=
  sum N (fun i => Psi i x * w i).
Definition bounded (N : nat) (B : R) (w : nat -> R) : Prop := sqrt (sum N (fun i => w i ^ 2)) <= B.

Definition loss (D N : nat) (Psi : nat -> (nat -> R) -> R) (w : nat -> R)
    (M : nat -> nat -> R) (A P : nat -> bool) (n : nat) (prob : nat -> R)
    (phi : nat -> nat -> bool) : R :=
  risk hinge n prob (fun a => label D A P (phi a))
    (fun a => linear N Psi w (input D M (phi a))).

(* root N B stands for what is divided by 2^k. *)
Definition theorem_2 (root : R -> R -> R) : Prop :=
  forall (d D k N : nat) (gamma p_o B : R) (Psi : nat -> (nat -> R) -> R),
    (3 < k)%nat -> (16 * k <= D)%nat -> Nat.Odd k -> (D <= d)%nat ->
    0 < gamma -> 0 < p_o <= 1 / 2 -> 0 < B -> features d N Psi ->
    (exists M A P n prob phi, family d D k gamma p_o M A P n prob phi) ->
    exists M A P n prob phi,
      family d D k gamma p_o M A P n prob phi /\
      forall w, bounded N B w ->
        p_o * (1 - root (INR N) B / 2 ^ k) <= loss D N Psi w M A P n prob phi.

Definition printed : Prop := theorem_2 (fun N B => sqrt (2 * N) * B).

(* instance: theorem_2.json *)
Definition k : Z := 9%Z.
Definition D : Z := 144%Z.
Definition N : Z := 145%Z.
Definition B_squared : Z := 65%Z.
Definition gamma : Q := ((1) # 2)%Q.
Definition p_o : Q := ((1) # 2)%Q.
(* end of instance *)

(* The features: the coordinates over sqrt D, cut off at -1 and 1, and last the constant 1. *)
Definition clip (x : R) : R := Rmax (-1) (Rmin 1 x).
Definition coordinates (d D : nat) (i : nat) (x : nat -> R) : R :=
  if Nat.ltb i d then clip (x i / sqrt (INR D)) else 1.

Lemma features_are_bounded d D : features d (S d) (coordinates d D).
Proof.
  intros i Hi. unfold coordinates, clip. split.
  - intros x. destruct (Nat.ltb i d); [|lra].
    unfold Rmax, Rmin. repeat destruct Rle_dec; lra.
  - intros x x' H. destruct (Nat.ltb_spec i d); [|reflexivity]. rewrite H by assumption.
    reflexivity.
Qed.

Lemma clip_inside x : -1 <= x <= 1 -> clip x = x.
Proof. intros H. unfold clip, Rmax, Rmin. repeat destruct Rle_dec; lra. Qed.

Lemma count_is_a_sum n f : INR (count n f) = sum n (fun j => bit (f j)).
Proof.
  unfold count. induction n as [|n IH]; [reflexivity|].
  rewrite seq_S, filter_app, app_length, plus_INR, IH. simpl.
  destruct (f n); simpl; lra.
Qed.

Lemma count_at_most n f : (count n f <= n)%nat.
Proof.
  unfold count. induction n as [|n IH]; [reflexivity|].
  rewrite seq_S, filter_app, app_length. simpl. destruct (f n); simpl; lia.
Qed.

(* An orthonormal dictionary keeps inner products. *)
Lemma isometry d D M c e :
  orthonormal d D M ->
  sum d (fun a => sum D (fun i => M a i * c i) * sum D (fun j => M a j * e j))
  = sum D (fun j => c j * e j).
Proof.
  intros H.
  rewrite (sum_ext d _ (fun a => sum D (fun i => sum D (fun j => c i * e j * (M a i * M a j))))).
  2:{ intros a _. rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros i _.
      rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros j _. ring. }
  rewrite sum_exchange. apply sum_ext. intros i Hi.
  rewrite sum_exchange.
  rewrite (sum_single D i); [|assumption|].
  - rewrite sum_scal, H, Nat.eqb_refl by assumption. simpl. ring.
  - intros j Hj Hne. rewrite sum_scal, H by assumption.
    destruct (Nat.eqb_spec i j); [congruence|]. simpl. ring.
Qed.

Lemma sum_of_nonnegative_terms n f :
  (forall p, (p < n)%nat -> 0 <= f p) -> sum n f = 0 -> forall p, (p < n)%nat -> f p = 0.
Proof.
  induction n as [|n IH]; intros H E p Hp; [lia|]. simpl in E.
  assert (A : 0 <= sum n f) by (apply sum_nonneg; intros; apply H; lia).
  assert (B : 0 <= f n) by (apply H; lia).
  destruct (PeanoNat.Nat.eq_dec p n) as [->|]; [lra|].
  apply IH; [intros; apply H; lia|lra|lia].
Qed.

(* At gamma = 1/2 the label decides all relevant patterns. *)
Lemma all_or_none d D k p_o M A P n prob phi :
  family d D k (1 / 2) p_o M A P n prob phi ->
  forall w, (w < n)%nat -> prob w = 0 \/
    forall i, (i < D)%nat -> A i = true -> 2 * bit (phi w i) - 1 = label D A P (phi w).
Proof.
  intros F w Hw. destruct (Req_dec (prob w) 0) as [|Pw]; [left; assumption|right].
  intros i Hi Ai. destruct (probabilities _ _ _ _ _ _ _ _ _ _ _ F) as [Pos One].
  pose proof (A0 _ _ _ _ _ _ _ _ _ _ _ F) as E0.
  pose proof (A1 _ _ _ _ _ _ _ _ _ _ _ F i Hi Ai) as E1.
  assert (Balanced : mean n prob (fun w => label D A P (phi w)) = 0).
  { unfold mean in *.
    rewrite (sum_ext n _ (fun w => 2 * (prob w * bit (P (relevant D A (phi w)))) - prob w)).
    - rewrite sum_minus, sum_scal, E0, One. lra.
    - intros v _. unfold label, bit. destruct (P _); ring. }
  rewrite Balanced, Rmult_0_l, Rminus_0_r in E1.
  set (gap := fun w => prob w * (bit (P (relevant D A (phi w)))
                                 - label D A P (phi w) * bit (phi w i))).
  assert (G : forall v, (v < n)%nat -> 0 <= gap v).
  { intros v Hv. apply Rmult_le_pos; [apply Pos; assumption|].
    unfold label, bit. destruct (P _); destruct (phi v i); lra. }
  assert (Z : sum n gap = 0).
  { unfold gap, mean in *.
    rewrite (sum_ext n _ (fun w => prob w * bit (P (relevant D A (phi w)))
                                   - prob w * (label D A P (phi w) * bit (phi w i))))
      by (intros; ring).
    rewrite sum_minus. lra. }
  pose proof (sum_of_nonnegative_terms n gap G Z w Hw) as E. unfold gap in E.
  apply Rmult_integral in E. destruct E as [|E]; [contradiction|].
  revert E. unfold label, bit. destruct (P _); destruct (phi w i); lra.
Qed.

(* Weights of squared norm 1 + 4D/k without any loss, for every distribution of the family. *)
Lemma no_loss d D k p_o M A P n prob phi :
  (1 <= k)%nat -> (1 <= D)%nat ->
  family d D k (1 / 2) p_o M A P n prob phi ->
  exists w, sum (S d) (fun i => w i ^ 2) = 1 + 4 * INR D / INR k /\
            loss D (S d) (coordinates d D) w M A P n prob phi = 0.
Proof.
  intros Hk HD F. pose proof (dictionary _ _ _ _ _ _ _ _ _ _ _ F) as O.
  pose proof (k_are_relevant _ _ _ _ _ _ _ _ _ _ _ F) as K.
  assert (K0 : 0 < INR k) by (apply lt_0_INR; lia).
  assert (D0 : 0 < INR D) by (apply lt_0_INR; lia).
  assert (S0 : 0 < sqrt (INR D)) by (apply sqrt_lt_R0; assumption).
  assert (SS : sqrt (INR D) * sqrt (INR D) = INR D) by (apply sqrt_sqrt; lra).
  set (part := fun a => sum D (fun j => M a j * bit (A j))).
  set (c := 2 * sqrt (INR D) / INR k).
  assert (Ones : sum D (fun j => bit (A j) * bit (A j)) = INR k).
  { rewrite <- K, count_is_a_sum. apply sum_ext. intros j _. destruct (A j); simpl; ring. }
  exists (fun i => if Nat.ltb i d then c * part i else -1). split.
  - simpl sum. rewrite Nat.ltb_irrefl.
    rewrite (sum_ext d _ (fun a => c ^ 2 * (part a * part a))).
    2:{ intros a Ha. destruct (Nat.ltb_spec a d); [ring|lia]. }
    rewrite sum_scal. unfold part. rewrite isometry, Ones by assumption. unfold c.
    replace ((2 * sqrt (INR D) / INR k) ^ 2) with (4 * (sqrt (INR D) * sqrt (INR D)) / INR k ^ 2)
      by (field; lra).
    rewrite SS. field. lra.
  - unfold loss, risk. apply sum_zero. intros w Hw.
    destruct (all_or_none _ _ _ _ _ _ _ _ _ _ F w Hw) as [->|All]; [ring|].
    (* a coordinate of x~ is at most sqrt D *)
    assert (Inside : forall a, (a < d)%nat ->
              -1 <= input D M (phi w) a / sqrt (INR D) <= 1).
    { intros a Ha.
      assert (Sq : Rsqr (input D M (phi w) a) <= Rsqr (sqrt (INR D))).
      { unfold Rsqr at 2. rewrite SS.
        apply Rle_trans with (sum d (fun b => Rsqr (input D M (phi w) b))).
        - clear - Ha. induction d as [|d IH]; [lia|]. simpl.
          destruct (PeanoNat.Nat.eq_dec a d) as [->|].
          + assert (0 <= sum d (fun b => Rsqr (input D M (phi w) b)))
              by (apply sum_nonneg; intros; apply Rle_0_sqr). lra.
          + pose proof (Rle_0_sqr (input D M (phi w) d)).
            assert (a < d)%nat by lia. specialize (IH H0). lra.
        - unfold input, Rsqr. rewrite isometry by assumption.
          rewrite (sum_ext D _ (fun j => bit (phi w j))).
          + rewrite <- count_is_a_sum. apply le_INR, count_at_most.
          + intros j _. destruct (phi w j); simpl; ring. }
      pose proof (Rsqr_le_abs_0 _ _ Sq) as B. rewrite (Rabs_right (sqrt _)) in B by lra.
      assert (I : 0 < / sqrt (INR D)) by (apply Rinv_0_lt_compat; assumption).
      assert (U : sqrt (INR D) * / sqrt (INR D) = 1) by (apply Rinv_r; lra).
      unfold Rdiv. revert B. unfold Rabs. destruct Rcase_abs; intros; split; nra. }
    assert (H : linear (S d) (coordinates d D) (fun i => if Nat.ltb i d then c * part i else -1)
                  (input D M (phi w)) = label D A P (phi w)).
    { unfold linear. simpl sum. unfold coordinates at 2. rewrite Nat.ltb_irrefl.
      rewrite (sum_ext d _ (fun a => 2 / INR k * (part a * input D M (phi w) a))).
      2:{ intros a Ha. unfold coordinates. destruct (Nat.ltb_spec a d); [|lia].
          rewrite clip_inside by (apply Inside; assumption). unfold c. field. lra. }
      rewrite sum_scal. unfold part, input. rewrite isometry by assumption.
      rewrite (sum_ext D _ (fun j => (1 + label D A P (phi w)) / 2 * bit (A j))).
      - rewrite sum_scal, <- count_is_a_sum, K. field. lra.
      - intros j Hj. destruct (A j) eqn:E; simpl; [|ring].
        rewrite <- (All j Hj E). field. }
    rewrite H. unfold hinge, label. destruct (P _).
    + replace (1 - 1 * 1) with 0 by ring. rewrite Rmax_left by lra. ring.
    + replace (1 - -1 * -1) with 0 by ring. rewrite Rmax_left by lra. ring.
Qed.

(* The family is not empty at gamma = p_o = 1/2: one fair coin decides all relevant patterns, and
   one each of the others. Coins are the binary digits of w. *)
Lemma sum_pairs n f : sum (2 * n) f = sum n (fun w => f (2 * w)%nat + f (2 * w + 1)%nat).
Proof.
  induction n as [|n IH]; [reflexivity|].
  replace (2 * S n)%nat with (S (S (2 * n))) by lia. cbn [sum]. rewrite IH.
  replace (2 * n + 1)%nat with (S (2 * n)) by lia. ring.
Qed.

Lemma fair n : forall q g, (q < n)%nat ->
  (forall w w', (forall i, i <> q -> Nat.testbit w i = Nat.testbit w' i) -> g w = g w') ->
  sum (2 ^ n) (fun w => bit (Nat.testbit w q) * g w) = sum (2 ^ n) g / 2.
Proof.
  induction n as [|n IH]; intros q g Hq Hg; [lia|].
  change (2 ^ S n)%nat with (2 * 2 ^ n)%nat. rewrite !sum_pairs. destruct q as [|q].
  - rewrite (sum_ext _ _ (fun w => / 2 * (g (2 * w)%nat + g (2 * w + 1)%nat))).
    + rewrite sum_scal. field.
    + intros w _. rewrite Nat.testbit_even_0, Nat.testbit_odd_0.
      rewrite (Hg (2 * w) (2 * w + 1))%nat; [simpl; field|].
      intros [|i] Hi; [contradiction|].
      rewrite Nat.testbit_even_succ, Nat.testbit_odd_succ by lia. reflexivity.
  - rewrite (sum_ext _ _ (fun w => bit (Nat.testbit w q) * (g (2 * w)%nat + g (2 * w + 1)%nat)))
      by (intros w _; rewrite Nat.testbit_even_succ, Nat.testbit_odd_succ by lia; ring).
    apply (IH q (fun w => g (2 * w)%nat + g (2 * w + 1)%nat)); [lia|].
    intros w w' H. f_equal; apply Hg; intros [|i] Hi.
    + rewrite !Nat.testbit_even_0. reflexivity.
    + rewrite !Nat.testbit_even_succ by lia. apply H. congruence.
    + rewrite !Nat.testbit_odd_0. reflexivity.
    + rewrite !Nat.testbit_odd_succ by lia. apply H. congruence.
Qed.

Lemma count_below n k : (k <= n)%nat -> count n (fun j => Nat.ltb j k) = k.
Proof.
  intros H. assert (E : forall m, count m (fun j => Nat.ltb j k) = Nat.min m k).
  { intros m. unfold count. induction m as [|m IH]; [reflexivity|].
    rewrite seq_S, filter_app, app_length, IH. cbn [filter plus].
    destruct (Nat.ltb_spec m k); cbn [length]; lia. }
  rewrite E. lia.
Qed.

Theorem the_family_is_not_empty :
  forall D k, (1 <= k <= D)%nat ->
  exists M A P n prob phi, family D D k (1 / 2) (1 / 2) M A P n prob phi.
Proof.
  intros D k Hk.
  set (coin := fun j => if Nat.ltb j k then 0%nat else S j).
  set (phi := fun w j => Nat.testbit w (coin j)).
  assert (L : forall w, Nat.eqb (relevant D (fun j => Nat.ltb j k) (phi w)) k = Nat.testbit w 0).
  { intros w. unfold relevant, count.
    rewrite (filter_ext _ (fun j => Nat.ltb j k && Nat.testbit w 0)%bool)
      by (intros j; unfold phi, coin; destruct (Nat.ltb j k); reflexivity).
    destruct (Nat.testbit w 0).
    - rewrite (filter_ext _ (fun j => Nat.ltb j k)) by (intros j; apply andb_true_r).
      fold (count D (fun j => Nat.ltb j k)). rewrite count_below by lia. apply Nat.eqb_refl.
    - rewrite (filter_ext _ (fun _ => false)) by (intros j; apply andb_false_r).
      replace (filter (fun _ => false) (seq 0 D)) with (@nil nat)
        by (induction (seq 0 D); [reflexivity|assumption]).
      apply Nat.eqb_neq. simpl. lia. }
  set (n := (2 ^ S D)%nat).
  assert (N0 : 0 < INR n) by (apply lt_0_INR; unfold n; apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia).
  assert (One : sum n (fun _ => 1) = INR n).
  { clear. induction n as [|n IH]; [reflexivity|]. rewrite S_INR. simpl. rewrite IH. ring. }
  assert (Mean : forall f, mean n (fun _ => / INR n) f = / INR n * sum n f)
    by (intros f; unfold mean; apply sum_scal).
  assert (Half : forall q, (q <= D)%nat ->
            mean n (fun _ => / INR n) (fun w => bit (Nat.testbit w q)) = 1 / 2).
  { intros q Hq. rewrite Mean.
    rewrite (sum_ext n _ (fun w => bit (Nat.testbit w q) * 1)) by (intros; ring).
    unfold n at 2. rewrite (fair (S D) q (fun _ => 1)) by (lia || reflexivity). fold n.
    rewrite One. field. lra. }
  assert (C : forall j, (j < D)%nat -> (coin j <= D)%nat)
    by (intros j Hj; unfold coin; destruct (Nat.ltb j k); lia).
  exists (fun a j => bit (Nat.eqb a j)), (fun j => Nat.ltb j k), (fun m => Nat.eqb m k), n,
    (fun _ => / INR n), phi.
  constructor.
  - intros i j Hi Hj. rewrite (sum_single D i); [rewrite Nat.eqb_refl; simpl; ring|assumption|].
    intros a _ Ha. destruct (Nat.eqb_spec a i); [contradiction|simpl; ring].
  - apply count_below. lia.
  - intros m H. apply Nat.eqb_eq in H. lia.
  - split; [intros; left; apply Rinv_0_lt_compat; assumption|].
    rewrite (sum_ext n _ (fun _ => / INR n * 1)) by (intros; ring).
    rewrite sum_scal, One. field. lra.
  - rewrite <- (Half 0%nat) by lia. unfold mean. apply sum_ext. intros w _. rewrite L. reflexivity.
  - intros i Hi Ai. rewrite <- (Half 0%nat) at 1 by lia.
    assert (Z : mean n (fun _ => / INR n) (fun w => label D (fun j => Nat.ltb j k)
                  (fun m => Nat.eqb m k) (phi w)) = 0).
    { unfold mean. rewrite (sum_ext n _ (fun w => 2 * (/ INR n * bit (Nat.testbit w 0))
                                                 - / INR n * 1)).
      - rewrite sum_minus, !sum_scal, One. pose proof (Half 0%nat ltac:(lia)) as H0.
        rewrite Mean in H0. rewrite H0. field. lra.
      - intros w _. unfold label. rewrite L. destruct (Nat.testbit w 0); simpl; ring. }
    rewrite Z, Rmult_0_l, Rminus_0_r. unfold mean. apply sum_ext. intros w _. unfold label.
    rewrite L. unfold phi, coin. rewrite Ai. destruct (Nat.testbit w 0); simpl; ring.
  - lra.
  - intros j Hj _. apply (Half (coin j)), C. assumption.
  - intros j v Hj Aj. rewrite !Mean.
    rewrite (sum_ext n _ (fun w => bit (Nat.testbit w (coin j)) * bit (others_are D j v (phi w)))).
    2:{ intros w _. unfold phi at 1. destruct (Nat.testbit w (coin j)), (others_are D j v (phi w));
        simpl; ring. }
    unfold n at 2 4. rewrite (fair (S D) (coin j) (fun w => bit (others_are D j v (phi w)))).
    + field. lra.
    + specialize (C j Hj). lia.
    + intros w w' H. f_equal. unfold others_are. induction (seq 0 D) as [|i l IH]; [reflexivity|].
      simpl. rewrite IH. f_equal. destruct (Nat.eqb_spec i j) as [|Hij]; [reflexivity|].
      simpl. f_equal. unfold phi. apply H. unfold coin. rewrite Aj.
      destruct (Nat.ltb i k); congruence.
  - lra.
Qed.

Lemma false_for root :
  0 < root (IZR N) (sqrt (IZR B_squared)) < 2 ^ 9 -> ~ theorem_2 root.
Proof.
  intros [R0 R1] H.
  assert (Odd9 : Nat.Odd 9) by (exists 4%nat; reflexivity).
  assert (B0 : 0 < sqrt (IZR B_squared)) by (apply sqrt_lt_R0; unfold B_squared; lra).
  destruct (H (Z.to_nat D) (Z.to_nat D) (Z.to_nat k) (Z.to_nat N) (Q2R gamma) (Q2R p_o)
              (sqrt (IZR B_squared)) (coordinates (Z.to_nat D) (Z.to_nat D)))
    as (M & A & P & n & prob & phi & F & L).
  all: unfold k, D, N, gamma, p_o, Q2R; cbn [Qnum Qden Z.to_nat]; try lia; try lra.
  - exact Odd9.
  - exact (features_are_bounded 144 144).
  - replace (1 * / 2) with (1 / 2) by lra.
    destruct (the_family_is_not_empty (Z.to_nat 144) (Z.to_nat 9) ltac:(lia))
      as (M & A & P & n & prob & phi & F).
    exists M, A, P, n, prob, phi. exact F.
  - unfold gamma, p_o, Q2R in *. cbn [Qnum Qden] in *.
    replace (1 * / 2) with (1 / 2) in F by lra.
    assert (HD : (1 <= Z.to_nat D)%nat) by (unfold D; lia).
    assert (Hk : (1 <= Z.to_nat k)%nat) by (unfold k; lia).
    destruct (no_loss _ _ _ _ _ _ _ _ _ _ Hk HD F) as (w & W & Z).
    specialize (L w).
    change (Z.to_nat N) with (S (Z.to_nat D)) in L.
    rewrite Z in L. unfold bounded in L. rewrite W in L.
    assert (E : 1 + 4 * INR (Z.to_nat D) / INR (Z.to_nat k) = IZR B_squared).
    { rewrite !INR_IZR_INZ. unfold D, k, B_squared. rewrite !Z2Nat.id by lia. field. }
    rewrite E in L. specialize (L (Rle_refl _)).
    change (S (Z.to_nat D)) with (Z.to_nat N) in L.
    rewrite INR_IZR_INZ, Z2Nat.id in L by (unfold N; lia).
    change (Z.to_nat k) with 9%nat in L.
    assert (root (IZR N) (sqrt (IZR B_squared)) / 2 ^ 9 < 1).
    { apply Rmult_lt_reg_r with (2 ^ 9); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
      lra. }
    lra.
Qed.

Lemma root_below x y : 0 < x -> 0 < y -> x < y * y -> 0 < sqrt x < y.
Proof.
  intros X Y H. split; [apply sqrt_lt_R0; assumption|].
  rewrite <- (sqrt_square y) by lra. apply sqrt_lt_1; nra.
Qed.

Theorem refuted : ~ printed.
Proof.
  apply (false_for (fun N B => sqrt (2 * N) * B)).
  rewrite <- sqrt_mult by (unfold N, B_squared; lra).
  apply root_below; unfold N, B_squared; lra.
Qed.

Theorem refuted_with_the_other_root : ~ theorem_2 (fun N B => sqrt (2 * N * B)).
Proof.
  apply false_for.
  assert (S : 0 < sqrt (IZR B_squared) < 9) by (apply root_below; unfold B_squared; lra).
  apply root_below; unfold N; nra.
Qed.
