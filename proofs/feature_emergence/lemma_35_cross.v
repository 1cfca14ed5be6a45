(* claim: feature_emergence-lemma-35-cross
   digest: f63c98bbed624f96

   Appendix F, proof of Lemma 35, (305) to (308), under the condition of the lemma,
   (k mu / sqrt d) (p_o D / sigma~) <= 1/16: for w = sigma~ sum_{j in A} M_j and the normalised
   input x = M phi, phi = (phi~ - E phi~) / sigma~, <w, x> is sum_{j in A} phi~_j less its mean, up
   to a term of at most 1/16 "among all j not in A, [if] at most p_o (D - k) of phi_j are
   (1 - p_o)/sigma~, while the others are -p_o/sigma~". The 1/16 is (308).

   The setting is that of Appendix F.1: columns of M are unit vectors, and products of two of them
   at most mu/sqrt d in size; the label is 1 if the number of relevant patterns is in P; (A1) and
   (A2) as in common/patterns.v. Noise, sigma_zeta, is 0: "the setting in the main text corresponds
   to sigma_zeta = 0". A distribution has the finitely many atoms 0, ..., n - 1; phi w j says
   whether atom w has pattern j. Every background pattern has the probability p_o.

   Two readings weaken the statement. Appendix F.3 lets p_o be any share of the background that is
   exceeded with probability exp(-Omega(k)) only, so the condition is read at the largest, 1, and
   the inputs are those whose share is at most the probability. And the condition must hold for both
   meanings of sigma~^2: the printed formula, sum_j Var(phi~_j), and the variance E|x~ - E x~|^2
   that it is said to be. In the difference itself sigma~ cancels.

   The instance has equal products, and four atoms of probability 1/4: all relevant patterns or
   none, and independently all background patterns or none, which (A2) allows. On the atom with all
   relevant patterns and no background the difference is 91/640, as in the Python check. *)
From Coq Require Import Reals ZArith QArith Qreals List Bool Lra Lia.
From Proofs.common Require Import sums losses patterns.
Import ListNotations.
Open Scope R_scope.

Section Inputs.
  Variables (d D : nat) (M : nat -> nat -> R) (A : nat -> bool)
            (n : nat) (prob : nat -> R) (phi : nat -> nat -> bool).

  Definition expected (j : nat) : R := mean n prob (fun w => bit (phi w j)).
  (* sigma~, the root of the total variance *)
  Definition sigma : R :=
    sqrt (sum D (fun j => mean n prob (fun w => (bit (phi w j) - expected j) ^ 2))).
  (* The root of E|x~ - E x~|^2 *)
  Definition sigma_of_inputs : R :=
    sqrt (sum d (fun a => mean n prob (fun w =>
      sum D (fun j => M a j * (bit (phi w j) - expected j)) ^ 2))).
  Definition normalised (w j : nat) : R := (bit (phi w j) - expected j) / sigma.
  (* <sigma~ sum_{j in A} M_j, M phi> *)
  Definition answer (w : nat) : R :=
    sum d (fun a => sigma * sum D (fun j => M a j * bit (A j))
                    * sum D (fun j => M a j * normalised w j)).
  (* The number of relevant patterns less its mean. *)
  Definition centred_count (w : nat) : R :=
    sum D (fun j => bit (A j) * (bit (phi w j) - expected j)).
End Inputs.

Definition printed : Prop :=
  forall (d D k : nat) (mu gamma p_o : R) (M : nat -> nat -> R) (A P : nat -> bool)
         (n : nat) (prob : nat -> R) (phi : nat -> nat -> bool),
    incoherent d D (mu / sqrt (INR d)) M ->
    family D k gamma p_o A P n prob phi ->
    INR k * mu / sqrt (INR d) * (INR D / sigma D n prob phi) <= 1 / 16 ->
    INR k * mu / sqrt (INR d) * (INR D / sigma_of_inputs d D M n prob phi) <= 1 / 16 ->
    forall w, (w < n)%nat -> 0 < prob w ->
      INR (background D A (phi w)) <= p_o * (INR D - INR k) ->
      Rabs (answer d D M A n prob phi w - centred_count D A n prob phi w) <= 1 / 16.

(* instance: lemma_35_cross.json *)
Definition D : Z := 100%Z.
Definition k : Z := 5%Z.
Definition rho : Q := ((1) # 1600)%Q.
(* end of instance *)

(* Columns of R^101 with equal products. *)
Definition r : R := Q2R rho.
Definition M (a j : nat) : R :=
  (if Nat.eqb a j then sqrt (1 - r) else 0) + (if Nat.eqb a 100 then sqrt r else 0).
Definition A (j : nat) : bool := Nat.ltb j 5.
Definition P (m : nat) : bool := Nat.eqb m 5.
(* Atoms 1 and 3 have all relevant patterns, 2 and 3 the background. *)
Definition phi (w j : nat) : bool := if A j then Nat.odd w else Nat.leb 2 w.
Definition quarter (w : nat) : R := 1 / 4.

Lemma r_value : r = 1 / 1600.
Proof. unfold r, rho, Q2R. cbn [Qnum Qden]. lra. Qed.

Lemma last_term n f : sum (S n) f = sum n f + f n.
Proof. reflexivity. Qed.

Lemma products i j :
  (i < 100)%nat -> (j < 100)%nat ->
  sum 101 (fun a => M a i * M a j) = if Nat.eqb i j then 1 else r.
Proof.
  intros Hi Hj. rewrite (last_term 100).
  replace (M 100 i * M 100 j) with r.
  2:{ unfold M. rewrite (Nat.eqb_refl 100).
      destruct (Nat.eqb_spec 100 i); [lia|]. destruct (Nat.eqb_spec 100 j); [lia|].
      rewrite !Rplus_0_l, sqrt_sqrt by (rewrite r_value; lra). reflexivity. }
  assert (E : forall a, (a < 100)%nat -> forall l, M a l = if Nat.eqb a l then sqrt (1 - r) else 0).
  { intros a Ha l. unfold M. destruct (Nat.eqb_spec a 100); [lia|apply Rplus_0_r]. }
  rewrite (sum_ext 100 _ (fun a => (if Nat.eqb a i then sqrt (1 - r) else 0)
                                   * (if Nat.eqb a j then sqrt (1 - r) else 0)))
    by (intros a Ha; rewrite !E by assumption; reflexivity).
  rewrite (sum_single 100 i); [|assumption|].
  - rewrite Nat.eqb_refl. destruct (Nat.eqb i j); [|ring].
    rewrite sqrt_sqrt by (rewrite r_value; lra). ring.
  - intros a _ Ha. destruct (Nat.eqb_spec a i); [contradiction|ring].
Qed.

(* <sum_i c_i M_i, sum_j e_j M_j> for any columns, from their products. *)
Lemma gram d D N c e :
  sum d (fun a => sum D (fun i => N a i * c i) * sum D (fun j => N a j * e j))
  = sum D (fun i => c i * sum D (fun j => e j * sum d (fun a => N a i * N a j))).
Proof.
  rewrite (sum_ext d _ (fun a => sum D (fun i => sum D (fun j => c i * e j * (N a i * N a j))))).
  2:{ intros a _. rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros i _.
      rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros j _. ring. }
  rewrite sum_exchange. apply sum_ext. intros i _.
  rewrite sum_exchange, <- sum_scal. apply sum_ext. intros j _.
  rewrite sum_scal. ring.
Qed.

(* Products that are all r add r to each pair and take r from the diagonal. *)
Lemma equal_products c e :
  sum 101 (fun a => sum 100 (fun i => M a i * c i) * sum 100 (fun j => M a j * e j))
  = (1 - r) * sum 100 (fun i => c i * e i) + r * sum 100 c * sum 100 e.
Proof.
  rewrite gram.
  rewrite (sum_ext 100 _ (fun i => (1 - r) * (c i * e i) + r * sum 100 e * c i)).
  - rewrite sum_plus, !sum_scal. ring.
  - intros i Hi.
    rewrite (sum_ext 100 _ (fun j => (1 - r) * (if Nat.eqb i j then e j else 0) + r * e j)).
    + rewrite sum_plus, !sum_scal, (sum_single 100 i); [rewrite Nat.eqb_refl; ring|assumption|].
      intros j _ Hj. destruct (Nat.eqb_spec i j); [congruence|reflexivity].
    + intros j Hj. rewrite products by assumption. destruct (Nat.eqb i j); ring.
Qed.

Lemma four f : mean 4 quarter f = (f 0%nat + f 1%nat + f 2%nat + f 3%nat) / 4.
Proof. unfold mean, quarter. simpl. field. Qed.

Lemma half j : expected 4 quarter phi j = 1 / 2.
Proof. unfold expected. rewrite four. unfold phi. destruct (A j); simpl; field. Qed.

Lemma sigma_is_5 : sigma 100 4 quarter phi = 5.
Proof.
  unfold sigma. rewrite (sum_ext 100 _ (fun _ => 1 / 4)).
  - replace (sum 100 (fun _ => 1 / 4)) with (5 * 5) by (simpl; field). apply sqrt_square. lra.
  - intros j _. rewrite four, half. unfold phi. destruct (A j); simpl; field.
Qed.

Lemma sigma_of_inputs_is_more : 5 <= sigma_of_inputs 101 100 M 4 quarter phi.
Proof.
  unfold sigma_of_inputs. rewrite <- (sqrt_square 5) at 1 by lra. apply sqrt_le_1_alt.
  set (c := fun w j => bit (phi w j) - expected 4 quarter phi j).
  assert (E : forall w, sum 101 (fun a => sum 100 (fun j => M a j * c w j) ^ 2)
            = (1 - r) * sum 100 (fun j => c w j * c w j) + r * sum 100 (c w) * sum 100 (c w)).
  { intros w. rewrite <- equal_products. apply sum_ext. intros. ring. }
  rewrite (sum_ext 101 _ (fun a => / 4 * (sum 100 (fun j => M a j * c 0%nat j) ^ 2
    + sum 100 (fun j => M a j * c 1%nat j) ^ 2 + sum 100 (fun j => M a j * c 2%nat j) ^ 2
    + sum 100 (fun j => M a j * c 3%nat j) ^ 2))).
  2:{ intros a _. rewrite four. unfold c. field. }
  rewrite sum_scal, !sum_plus, !E.
  assert (C : forall w j, c w j = bit (phi w j) - 1 / 2) by (intros; unfold c; rewrite half; ring).
  assert (Q : forall w, sum 100 (fun j => c w j * c w j) = 25).
  { intros w. rewrite (sum_ext 100 _ (fun _ => 1 / 4)); [simpl; field|].
    intros j _. rewrite C. destruct (phi w j); simpl; field. }
  assert (T : forall w x y, (forall j, phi w j = if A j then x else y) ->
            sum 100 (c w) = 5 * (bit x - 1 / 2) + 95 * (bit y - 1 / 2)).
  { intros w x y H. rewrite (sum_ext 100 _ (fun j => if A j then bit x - 1 / 2 else bit y - 1 / 2)).
    - unfold A. simpl. ring.
    - intros j _. rewrite C, H. destruct (A j); reflexivity. }
  rewrite !Q, (T 0%nat false false), (T 1%nat true false), (T 2%nat false true), (T 3%nat true true)
    by (intros; unfold phi; destruct (A j); reflexivity).
  rewrite r_value. simpl bit. lra.
Qed.

Lemma labels w : (w < 4)%nat -> positive 100 A P (phi w) = Nat.odd w.
Proof.
  intros H. destruct w as [|[|[|[|w]]]]; [vm_compute; reflexivity..|lia].
Qed.

Lemma in_the_family : family 100 5 (1 / 2) (1 / 2) A P 4 quarter phi.
Proof.
  constructor.
  - vm_compute. reflexivity.
  - intros m H. apply Nat.eqb_eq in H. lia.
  - split; [intros; unfold quarter; lra|unfold quarter; simpl; field].
  - exists 1, 0. rewrite !four, !labels by lia. split; [simpl; lra|]. split; [|field].
    intros i _ Ai. rewrite !four, !labels by lia. unfold phi. rewrite Ai. simpl. lra.
  - lra.
  - intros u v. rewrite !four.
    assert (E : forall w w', Nat.odd w = Nat.odd w' ->
              agrees 100 A u (phi w) = agrees 100 A u (phi w')).
    { intros w w' H. apply agrees_ext. intros i Ai. unfold phi. rewrite Ai. assumption. }
    assert (F : forall w w', Nat.leb 2 w = Nat.leb 2 w' ->
              agrees 100 (fun j => negb (A j)) v (phi w)
              = agrees 100 (fun j => negb (A j)) v (phi w')).
    { intros w w' H. apply agrees_ext. intros i Ai. unfold phi.
      destruct (A i); [discriminate|assumption]. }
    rewrite (E 2 0)%nat, (E 3 1)%nat, (F 1 0)%nat, (F 3 2)%nat by reflexivity.
    destruct (agrees 100 A u (phi 0)), (agrees 100 A u (phi 1)),
      (agrees 100 (fun j => negb (A j)) v (phi 0)), (agrees 100 (fun j => negb (A j)) v (phi 2));
      simpl; lra.
  - intros j _ _. apply half.
Qed.

Theorem refuted : ~ printed.
Proof.
  intros H.
  assert (S101 : 0 < sqrt (INR 101)) by (apply sqrt_lt_R0, lt_0_INR; lia).
  specialize (H 101%nat 100%nat 5%nat (r * sqrt (INR 101)) (1 / 2) (1 / 2) M A P 4%nat quarter phi).
  assert (I : incoherent 101 100 (r * sqrt (INR 101) / sqrt (INR 101)) M).
  { intros i j Hi Hj. rewrite products by assumption. destruct (Nat.eqb i j); [reflexivity|].
    replace (r * sqrt (INR 101) / sqrt (INR 101)) with r by (field; lra).
    rewrite r_value, Rabs_right; lra. }
  specialize (H I in_the_family). rewrite sigma_is_5 in H.
  assert (C : forall t, 5 <= t ->
            INR 5 * (r * sqrt (INR 101)) / sqrt (INR 101) * (INR 100 / t) <= 1 / 16).
  { intros t Ht. replace (INR 5 * (r * sqrt (INR 101)) / sqrt (INR 101)) with (5 * r).
    - replace (INR 100) with 100 by (rewrite INR_IZR_INZ; reflexivity). rewrite r_value.
      assert (/ t <= / 5) by (apply Rinv_le_contravar; lra). unfold Rdiv. lra.
    - rewrite INR_IZR_INZ in S101. rewrite !INR_IZR_INZ. simpl Z.of_nat in *. field. lra. }
  specialize (H (C 5 (Rle_refl 5)) (C _ sigma_of_inputs_is_more) 1%nat ltac:(lia)).
  unfold quarter in H at 1.
  specialize (H ltac:(lra)).
  assert (B : INR (background 100 A (phi 1)) <= 1 / 2 * (INR 100 - INR 5)).
  { replace (background 100 A (phi 1)) with 0%nat by (vm_compute; reflexivity).
    rewrite !INR_IZR_INZ. simpl Z.of_nat. lra. }
  specialize (H B).
  assert (E : answer 101 100 M A 4 quarter phi 1
              - centred_count 100 A 4 quarter phi 1 = - (91 / 640)).
  { unfold answer. rewrite sigma_is_5.
    rewrite (sum_ext 101 _ (fun a => 5 * (sum 100 (fun j => M a j * bit (A j))
                                  * sum 100 (fun j => M a j * normalised 100 4 quarter phi 1 j))))
      by (intros; ring).
    rewrite sum_scal, equal_products.
    assert (N : forall j, normalised 100 4 quarter phi 1 j = if A j then 1 / 10 else - (1 / 10)).
    { intros j. unfold normalised. rewrite sigma_is_5, half. unfold phi.
      destruct (A j); simpl; field. }
    rewrite (sum_ext 100 (fun i => bit (A i) * normalised 100 4 quarter phi 1 i)
                         (fun i => 1 / 10 * bit (A i)))
      by (intros j _; rewrite N; destruct (A j); simpl; ring).
    rewrite (sum_ext 100 (normalised 100 4 quarter phi 1) (fun i => 1 / 5 * bit (A i) - 1 / 10))
      by (intros j _; rewrite N; destruct (A j); simpl; field).
    unfold centred_count.
    rewrite (sum_ext 100 (fun j => bit (A j) * (bit (phi 1 j) - expected 4 quarter phi j))
                         (fun i => 1 / 2 * bit (A i)))
      by (intros j _; rewrite half; unfold phi; destruct (A j); simpl; field).
    rewrite sum_minus, !sum_scal.
    replace (sum 100 (fun i => bit (A i))) with 5 by (unfold A, bit; simpl; ring).
    replace (sum 100 (fun _ => 1 / 10)) with 10 by (simpl; field).
    rewrite r_value. field. }
  rewrite E, Rabs_Ropp, Rabs_right in H; lra.
Qed.
