CREATE TABLE "categories" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "images" (
	"hash" text PRIMARY KEY NOT NULL,
	"media_type" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"bytes" integer NOT NULL,
	"sources" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "question_versions" (
	"question_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"question" text NOT NULL,
	"option_ids" smallint[] NOT NULL,
	"option_texts" text[] NOT NULL,
	"correct_option_id" smallint,
	"details" jsonb,
	"correction" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"seal" "bytea",
	CONSTRAINT "question_versions_question_id_version_pk" PRIMARY KEY("question_id","version"),
	CONSTRAINT "question_versions_options" CHECK (cardinality("question_versions"."option_ids") between 2 and 4 or "question_versions"."details" is not null and cardinality("question_versions"."option_ids") <= 26),
	CONSTRAINT "question_versions_plain" CHECK ("question_versions"."details" is not null or "question_versions"."correct_option_id" is not null),
	CONSTRAINT "question_versions_texts" CHECK (cardinality("question_versions"."option_texts") = cardinality("question_versions"."option_ids")),
	CONSTRAINT "question_versions_key" CHECK ("question_versions"."correct_option_id" is null or "question_versions"."correct_option_id" = any ("question_versions"."option_ids"))
);
--> statement-breakpoint
CREATE TABLE "questions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"quiz_id" uuid,
	"order_number" integer NOT NULL,
	"current_version" integer NOT NULL,
	"next_option_id" smallint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"archived_at" timestamp (3) with time zone,
	"category_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"difficulty" text,
	"note" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "questions_difficulty" CHECK ("questions"."difficulty" in ('easy', 'medium', 'hard'))
);
--> statement-breakpoint
CREATE TABLE "quiz_policies" (
	"quiz_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"settings" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "quiz_policies_quiz_id_version_pk" PRIMARY KEY("quiz_id","version")
);
--> statement-breakpoint
CREATE TABLE "quizzes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"category_id" uuid NOT NULL,
	"duration" smallint NOT NULL,
	"total_questions" smallint NOT NULL,
	"end_date" timestamp (3) with time zone,
	"finish_after_end" boolean NOT NULL,
	"is_active" boolean NOT NULL,
	"closing_mail" boolean DEFAULT false NOT NULL,
	"archived_at" timestamp (3) with time zone,
	"structure" jsonb,
	"negative_marks" jsonb,
	"policy_version" integer NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "quizzes_duration" CHECK ("quizzes"."duration" between 1 and 180),
	CONSTRAINT "quizzes_total_questions" CHECK ("quizzes"."total_questions" between 5 and 100),
	CONSTRAINT "quizzes_title" CHECK ("quizzes"."title" <> '')
);
--> statement-breakpoint
CREATE TABLE "answers" (
	"participant_id" uuid NOT NULL,
	"question_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"option_id" smallint,
	"response" text,
	"is_flagged" boolean NOT NULL,
	"revision" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"saved_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "answers_participant_id_question_id_pk" PRIMARY KEY("participant_id","question_id"),
	CONSTRAINT "answers_revision" CHECK ("answers"."revision" >= 1),
	CONSTRAINT "answers_one_form" CHECK ("answers"."option_id" is null or "answers"."response" is null)
);
--> statement-breakpoint
CREATE TABLE "late_answers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"participant_id" uuid NOT NULL,
	"question_id" uuid NOT NULL,
	"option_id" smallint,
	"response" text,
	"is_flagged" boolean NOT NULL,
	"revision" integer,
	"received_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "late_answers_once" UNIQUE NULLS NOT DISTINCT("participant_id","question_id","revision")
);
--> statement-breakpoint
CREATE TABLE "paper_questions" (
	"participant_id" uuid NOT NULL,
	"position" smallint NOT NULL,
	"question_id" uuid NOT NULL,
	"question_version" integer NOT NULL,
	"option_order" smallint[] NOT NULL,
	CONSTRAINT "paper_questions_participant_id_question_id_pk" PRIMARY KEY("participant_id","question_id"),
	CONSTRAINT "paper_questions_position" UNIQUE("participant_id","position")
);
--> statement-breakpoint
CREATE TABLE "participant_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"participant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"details" jsonb,
	CONSTRAINT "participant_events_kind" CHECK ("participant_events"."kind" in ('started', 'resumed', 'device_changed', 'flooded', 'signed_in', 'extended', 'ending', 'message', 'limit_reached', 'reported', 'gap', 'replaced', 'ended'))
);
--> statement-breakpoint
CREATE TABLE "participants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"invitation_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"quiz_id" uuid NOT NULL,
	"attempt" smallint NOT NULL,
	"replaced_at" timestamp (3) with time zone,
	"replaced_how" text,
	"added_minutes" smallint,
	"status" text NOT NULL,
	"policy_version" integer NOT NULL,
	"total_marks" smallint NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"deadline_at" timestamp (3) with time zone NOT NULL,
	"close_at" timestamp (3) with time zone NOT NULL,
	"close_reason" text NOT NULL,
	"submitted_at" timestamp (3) with time zone,
	"submission_type" text,
	"score" smallint,
	"points" integer,
	"max_points" integer,
	"negative_marks" jsonb,
	"sections" jsonb,
	"answered_count" smallint,
	"receipt_id" text,
	"session_id" uuid,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"counted_violations" integer NOT NULL,
	"violation_calls" integer NOT NULL,
	"fullscreen_exits" integer NOT NULL,
	"tab_switches" integer NOT NULL,
	"is_phone" boolean DEFAULT false NOT NULL,
	"used_computer" boolean DEFAULT false NOT NULL,
	"device" jsonb,
	"camera_enabled" boolean NOT NULL,
	"microphone_enabled" boolean NOT NULL,
	"face_covered" boolean NOT NULL,
	"consent_text_version" text,
	"consent_at" timestamp (3) with time zone,
	"consent_address" text,
	"device_check" jsonb,
	"note" text DEFAULT '' NOT NULL,
	"message_count" integer DEFAULT 0 NOT NULL,
	"monitor_at" timestamp (3) with time zone,
	"silent_since" timestamp (3) with time zone,
	"monitor_checks" integer,
	"checks_stalled_since" timestamp (3) with time zone,
	"review_flags" integer DEFAULT 0 NOT NULL,
	"verdict" text,
	"verdict_note" text DEFAULT '' NOT NULL,
	"verdict_at" timestamp (3) with time zone,
	"verdict_by" uuid,
	"result_seal" "bytea",
	CONSTRAINT "participants_attempt" UNIQUE("user_id","quiz_id","attempt"),
	CONSTRAINT "participants_verdict" CHECK ("participants"."verdict" in ('no_concern', 'talk', 'breach')),
	CONSTRAINT "participants_verdict_whole" CHECK (("participants"."verdict" is null) = ("participants"."verdict_at" is null)
        and ("participants"."verdict" is null or "participants"."status" <> 'in_progress')),
	CONSTRAINT "participants_status" CHECK ("participants"."status" in ('in_progress', 'completed', 'dismissed')),
	CONSTRAINT "participants_ended_whole" CHECK (("participants"."status" = 'in_progress') = ("participants"."submitted_at" is null)
        and ("participants"."submitted_at" is null) = ("participants"."submission_type" is null)
        and ("participants"."submitted_at" is null) = ("participants"."score" is null)
        and ("participants"."submitted_at" is null) = ("participants"."answered_count" is null)
        and ("participants"."submitted_at" is null) = ("participants"."receipt_id" is null)),
	CONSTRAINT "participants_submission_type" CHECK ("participants"."submission_type" in ('manual', 'auto', 'dismissed', 'database')
        and ("participants"."status" = 'dismissed') = ("participants"."submission_type" = 'dismissed')),
	CONSTRAINT "participants_close_reason" CHECK ("participants"."close_reason" in ('auto', 'dismissed', 'database')),
	CONSTRAINT "participants_score" CHECK ("participants"."score" between 0 and "participants"."total_marks"),
	CONSTRAINT "participants_points" CHECK ("participants"."points" between 0 and "participants"."max_points"),
	CONSTRAINT "participants_points_whole" CHECK ("participants"."points" is null or "participants"."max_points" is not null),
	CONSTRAINT "participants_times" CHECK ("participants"."deadline_at" >= "participants"."started_at" and "participants"."submitted_at" >= "participants"."started_at"),
	CONSTRAINT "participants_replaced_ended" CHECK ("participants"."replaced_at" is null or "participants"."status" <> 'in_progress'),
	CONSTRAINT "participants_replaced_how" CHECK (("participants"."replaced_at" is null) = ("participants"."replaced_how" is null)
        and "participants"."replaced_how" in ('another', 'reinstate')),
	CONSTRAINT "participants_added_minutes" CHECK ("participants"."added_minutes" is null or ("participants"."replaced_how" = 'reinstate' and "participants"."added_minutes" between 1 and 180)),
	CONSTRAINT "participants_attempt_number" CHECK ("participants"."attempt" >= 1)
);
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"admin_id" uuid,
	"action" text NOT NULL,
	"subject_type" text,
	"subject_id" uuid,
	"details" jsonb,
	"number" bigint,
	"hash" "bytea",
	CONSTRAINT "audit_entries_sealed_whole" CHECK (("audit_entries"."number" is null) = ("audit_entries"."hash" is null))
);
--> statement-breakpoint
CREATE TABLE "audit_head" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"number" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"seal" "bytea" NOT NULL,
	CONSTRAINT "audit_head_one" CHECK ("audit_head"."one")
);
--> statement-breakpoint
CREATE TABLE "erased_leftovers" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "erased_leftovers_one" CHECK ("erased_leftovers"."one")
);
--> statement-breakpoint
CREATE TABLE "key_check" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"sealed_word" "bytea" NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "key_check_one" CHECK ("key_check"."one")
);
--> statement-breakpoint
CREATE TABLE "liveness" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"alive_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "liveness_one" CHECK ("liveness"."one")
);
--> statement-breakpoint
CREATE TABLE "retention" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"days" smallint NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "retention_one" CHECK ("retention"."one"),
	CONSTRAINT "retention_days" CHECK ("retention"."days" between 1 and 3650)
);
--> statement-breakpoint
CREATE TABLE "invitation_codes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"invitation_id" uuid NOT NULL,
	"code_hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"quiz_id" uuid NOT NULL,
	"extra_time_factor" numeric(4, 2) NOT NULL,
	"camera_enabled" boolean NOT NULL,
	"microphone_enabled" boolean NOT NULL,
	"face_covered" boolean DEFAULT false NOT NULL,
	"invited_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_invited_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"first_sign_in_at" timestamp (3) with time zone,
	CONSTRAINT "invitations_user_quiz" UNIQUE("user_id","quiz_id"),
	CONSTRAINT "invitations_identity" UNIQUE("id","user_id","quiz_id"),
	CONSTRAINT "invitations_extra_time" CHECK ("invitations"."extra_time_factor" between 1 and 10)
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text,
	"sealed_key" "bytea",
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"invitation_id" uuid,
	"code_id" uuid,
	"participant_id" uuid,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"variables" jsonb NOT NULL,
	"sealed_code" "bytea",
	"message_id" text NOT NULL,
	"state" text NOT NULL,
	"attempts" integer NOT NULL,
	"last_error" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"first_tried_at" timestamp (3) with time zone,
	"claimed_until" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	CONSTRAINT "outbox_kind" CHECK ("outbox"."kind" in ('invitation', 'receipt', 'notice', 'password_reset')),
	CONSTRAINT "outbox_receipt" CHECK (("outbox"."kind" = 'receipt') = ("outbox"."participant_id" is not null)),
	CONSTRAINT "outbox_state" CHECK ("outbox"."state" in ('queued', 'sending', 'sent', 'uncertain', 'failed')),
	CONSTRAINT "outbox_code_wiped" CHECK ("outbox"."state" <> 'sent' or "outbox"."sealed_code" is null),
	CONSTRAINT "outbox_due" CHECK (("outbox"."state" in ('queued', 'uncertain')) = ("outbox"."next_attempt_at" is not null)),
	CONSTRAINT "outbox_claim" CHECK (("outbox"."state" = 'sending') = ("outbox"."claimed_until" is not null))
);
--> statement-breakpoint
CREATE TABLE "smtp_settings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"one" boolean DEFAULT true NOT NULL,
	"host" text NOT NULL,
	"port" integer NOT NULL,
	"username" text NOT NULL,
	"sealed_password" "bytea" NOT NULL,
	"from_email" text NOT NULL,
	"is_active" boolean NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"per_minute" integer,
	"per_minute_since" timestamp (3) with time zone,
	"next_send_at" timestamp (3) with time zone,
	"paused_at" timestamp (3) with time zone,
	"pauses" integer DEFAULT 0 NOT NULL,
	"fault" text,
	"fault_text" text,
	CONSTRAINT "smtp_settings_one_unique" UNIQUE("one"),
	CONSTRAINT "smtp_settings_one" CHECK ("smtp_settings"."one")
);
--> statement-breakpoint
CREATE TABLE "feedback" (
	"participant_id" uuid PRIMARY KEY NOT NULL,
	"emoji" text NOT NULL,
	"text" text,
	"skipped" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "feedback_emoji" CHECK ("feedback"."emoji" in ('smile', 'neutral', 'sad'))
);
--> statement-breakpoint
CREATE TABLE "participant_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"participant_id" uuid NOT NULL,
	"text" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "applied_actions" (
	"action_id" uuid NOT NULL,
	"participant_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "applied_actions_action_id_participant_id_pk" PRIMARY KEY("action_id","participant_id")
);
--> statement-breakpoint
CREATE TABLE "evidence" (
	"id" uuid PRIMARY KEY NOT NULL,
	"participant_id" uuid NOT NULL,
	"violation_id" uuid,
	"at" timestamp (3) with time zone NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"stored_at" timestamp (3) with time zone,
	"stills" smallint NOT NULL,
	"has_levels" boolean NOT NULL,
	"bytes" integer NOT NULL,
	"seal" "bytea"
);
--> statement-breakpoint
CREATE TABLE "evidence_keys" (
	"participant_id" uuid PRIMARY KEY NOT NULL,
	"sealed_key" "bytea",
	"created_at" timestamp (3) with time zone NOT NULL,
	"destroyed_at" timestamp (3) with time zone,
	"files_removed_at" timestamp (3) with time zone,
	CONSTRAINT "evidence_keys_whole" CHECK (("evidence_keys"."sealed_key" is null) = ("evidence_keys"."destroyed_at" is not null))
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "live_frames" (
	"number" bigint PRIMARY KEY NOT NULL,
	"frame" text
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "live_turn" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"number" bigint NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "live_turn_one" CHECK ("live_turn"."one")
);
--> statement-breakpoint
CREATE TABLE "still_hashes" (
	"participant_id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"evidence_id" uuid NOT NULL,
	"taken_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "still_hashes_participant_id_hash_pk" PRIMARY KEY("participant_id","hash")
);
--> statement-breakpoint
CREATE TABLE "violations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"participant_id" uuid NOT NULL,
	"type" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"counted" boolean NOT NULL,
	"duration_ms" integer,
	"notes" text,
	"engine" text,
	"candidate_note" text,
	"answer" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"admin_id" uuid,
	"invitation_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"password_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"end_reason" text,
	"seal" "bytea",
	CONSTRAINT "sessions_one_owner" CHECK (num_nonnulls("sessions"."admin_id", "sessions"."invitation_id") = 1),
	CONSTRAINT "sessions_end" CHECK (("sessions"."ended_at" is null) = ("sessions"."end_reason" is null))
);
--> statement-breakpoint
CREATE TABLE "sign_in_failures" (
	"key" "bytea" PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"blocked_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "admin_recovery_codes" (
	"admin_id" uuid NOT NULL,
	"code_hash" "bytea" NOT NULL,
	CONSTRAINT "admin_recovery_codes_admin_id_code_hash_pk" PRIMARY KEY("admin_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "admin_totp" (
	"admin_id" uuid PRIMARY KEY NOT NULL,
	"sealed_secret" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"last_step" bigint
);
--> statement-breakpoint
CREATE TABLE "admins" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_sign_in_at" timestamp (3) with time zone,
	"seal" "bytea"
);
--> statement-breakpoint
CREATE TABLE "password_resets" (
	"admin_id" uuid PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "password_resets_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "pending_sign_ins" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"admin_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"seal" "bytea"
);
--> statement-breakpoint
CREATE TABLE "sign_in_policy" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"totp_required" boolean NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"seal" "bytea",
	CONSTRAINT "sign_in_policy_one" CHECK ("sign_in_policy"."one")
);
--> statement-breakpoint
ALTER TABLE "question_versions" ADD CONSTRAINT "question_versions_question_id_questions_id_fk" FOREIGN KEY ("question_id") REFERENCES "public"."questions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "questions" ADD CONSTRAINT "questions_quiz_id_quizzes_id_fk" FOREIGN KEY ("quiz_id") REFERENCES "public"."quizzes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "questions" ADD CONSTRAINT "questions_category_id_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."categories"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_policies" ADD CONSTRAINT "quiz_policies_quiz_id_quizzes_id_fk" FOREIGN KEY ("quiz_id") REFERENCES "public"."quizzes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quizzes" ADD CONSTRAINT "quizzes_category_id_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."categories"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "answers" ADD CONSTRAINT "answers_on_paper" FOREIGN KEY ("participant_id","question_id") REFERENCES "public"."paper_questions"("participant_id","question_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "late_answers" ADD CONSTRAINT "late_answers_on_paper" FOREIGN KEY ("participant_id","question_id") REFERENCES "public"."paper_questions"("participant_id","question_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "paper_questions" ADD CONSTRAINT "paper_questions_participant_id_participants_id_fk" FOREIGN KEY ("participant_id") REFERENCES "public"."participants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "paper_questions" ADD CONSTRAINT "paper_questions_version" FOREIGN KEY ("question_id","question_version") REFERENCES "public"."question_versions"("question_id","version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "participant_events" ADD CONSTRAINT "participant_events_participant_id_participants_id_fk" FOREIGN KEY ("participant_id") REFERENCES "public"."participants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "participants" ADD CONSTRAINT "participants_verdict_by_admins_id_fk" FOREIGN KEY ("verdict_by") REFERENCES "public"."admins"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "participants" ADD CONSTRAINT "participants_invitation" FOREIGN KEY ("invitation_id","user_id","quiz_id") REFERENCES "public"."invitations"("id","user_id","quiz_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "participants" ADD CONSTRAINT "participants_policy" FOREIGN KEY ("quiz_id","policy_version") REFERENCES "public"."quiz_policies"("quiz_id","version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_codes" ADD CONSTRAINT "invitation_codes_invitation_id_invitations_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "public"."invitations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_quiz_id_quizzes_id_fk" FOREIGN KEY ("quiz_id") REFERENCES "public"."quizzes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_admins_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."admins"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_invitation_id_invitations_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "public"."invitations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_code_id_invitation_codes_id_fk" FOREIGN KEY ("code_id") REFERENCES "public"."invitation_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_participant_id_participants_id_fk" FOREIGN KEY ("participant_id") REFERENCES "public"."participants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_participant_id_participants_id_fk" FOREIGN KEY ("participant_id") REFERENCES "public"."participants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "participant_messages" ADD CONSTRAINT "participant_messages_participant_id_participants_id_fk" FOREIGN KEY ("participant_id") REFERENCES "public"."participants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "applied_actions" ADD CONSTRAINT "applied_actions_participant_id_participants_id_fk" FOREIGN KEY ("participant_id") REFERENCES "public"."participants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evidence" ADD CONSTRAINT "evidence_participant_id_evidence_keys_participant_id_fk" FOREIGN KEY ("participant_id") REFERENCES "public"."evidence_keys"("participant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evidence" ADD CONSTRAINT "evidence_violation_id_violations_id_fk" FOREIGN KEY ("violation_id") REFERENCES "public"."violations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evidence_keys" ADD CONSTRAINT "evidence_keys_participant_id_participants_id_fk" FOREIGN KEY ("participant_id") REFERENCES "public"."participants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "still_hashes" ADD CONSTRAINT "still_hashes_evidence_id_evidence_id_fk" FOREIGN KEY ("evidence_id") REFERENCES "public"."evidence"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "violations" ADD CONSTRAINT "violations_participant_id_participants_id_fk" FOREIGN KEY ("participant_id") REFERENCES "public"."participants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_invitation_id_invitations_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "public"."invitations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "admin_recovery_codes" ADD CONSTRAINT "admin_recovery_codes_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "admin_totp" ADD CONSTRAINT "admin_totp_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pending_sign_ins" ADD CONSTRAINT "pending_sign_ins_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "question_versions_text" ON "question_versions" USING btree (md5("question"));--> statement-breakpoint
CREATE INDEX "questions_of_quiz" ON "questions" USING btree ("quiz_id","order_number","id") WHERE "questions"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "questions_tags" ON "questions" USING gin ("tags");--> statement-breakpoint
CREATE INDEX "questions_newest" ON "questions" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "questions"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "questions_of_category" ON "questions" USING btree ("category_id");--> statement-breakpoint
CREATE INDEX "quizzes_listed" ON "quizzes" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "quizzes"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "quizzes_category" ON "quizzes" USING btree ("category_id");--> statement-breakpoint
CREATE INDEX "paper_questions_of_question" ON "paper_questions" USING btree ("question_id");--> statement-breakpoint
CREATE INDEX "participant_events_newest" ON "participant_events" USING btree ("at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "participant_events"."kind" in ('started', 'ended');--> statement-breakpoint
CREATE INDEX "participant_events_of" ON "participant_events" USING btree ("participant_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "participant_events_one_end" ON "participant_events" USING btree ("participant_id") WHERE "participant_events"."kind" = 'ended';--> statement-breakpoint
CREATE UNIQUE INDEX "participants_current" ON "participants" USING btree ("user_id","quiz_id") WHERE "participants"."replaced_at" is null;--> statement-breakpoint
CREATE INDEX "participants_due" ON "participants" USING btree ("close_at") WHERE "participants"."status" = 'in_progress';--> statement-breakpoint
CREATE INDEX "participants_started" ON "participants" USING btree ("started_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "participants"."replaced_at" is null;--> statement-breakpoint
CREATE INDEX "participants_of_quiz" ON "participants" USING btree ("quiz_id","started_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "participants"."replaced_at" is null;--> statement-breakpoint
CREATE INDEX "participants_shown_scores" ON "participants" USING btree (coalesce("points", "score" * 10000) nulls first,"id","points","score") WHERE "participants"."replaced_at" is null;--> statement-breakpoint
CREATE INDEX "participants_statuses" ON "participants" USING btree ("status","id") WHERE "participants"."replaced_at" is null;--> statement-breakpoint
CREATE INDEX "participants_violations" ON "participants" USING btree (greatest("counted_violations", "violation_calls"),"id") WHERE "participants"."replaced_at" is null;--> statement-breakpoint
CREATE INDEX "participants_of_user" ON "participants" USING btree ("user_id","id") WHERE "participants"."replaced_at" is null;--> statement-breakpoint
CREATE INDEX "participants_results" ON "participants" USING btree ("quiz_id","submitted_at","total_marks","score","max_points","points") WHERE "participants"."replaced_at" is null and "participants"."status" = 'completed';--> statement-breakpoint
CREATE INDEX "participants_submitted" ON "participants" USING btree ("submitted_at" NULLS FIRST,"id") WHERE "participants"."replaced_at" is null;--> statement-breakpoint
CREATE INDEX "participants_of_invitation" ON "participants" USING btree ("invitation_id");--> statement-breakpoint
CREATE INDEX "participants_to_review" ON "participants" USING btree ("started_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "participants"."replaced_at" is null and "participants"."verdict" is null and "participants"."status" <> 'in_progress'
          and "participants"."counted_violations" + "participants"."violation_calls" + "participants"."fullscreen_exits" + "participants"."tab_switches" + "participants"."review_flags" > 0;--> statement-breakpoint
CREATE INDEX "participants_running" ON "participants" USING btree ("id") WHERE "participants"."status" = 'in_progress';--> statement-breakpoint
CREATE INDEX "participants_device_checks" ON "participants" USING btree ("submitted_at") WHERE "participants"."device_check" is not null;--> statement-breakpoint
CREATE INDEX "audit_entries_newest" ON "audit_entries" USING btree ("at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "audit_entries_subject" ON "audit_entries" USING btree ("subject_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_entries_number" ON "audit_entries" USING btree ("number");--> statement-breakpoint
CREATE INDEX "audit_entries_unsealed" ON "audit_entries" USING btree ("at","id") WHERE "audit_entries"."number" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "invitation_codes_hash" ON "invitation_codes" USING btree ("code_hash");--> statement-breakpoint
CREATE INDEX "invitation_codes_of_invitation" ON "invitation_codes" USING btree ("invitation_id");--> statement-breakpoint
CREATE INDEX "invitations_of_quiz" ON "invitations" USING btree ("quiz_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree (lower("email") nulls first);--> statement-breakpoint
CREATE INDEX "outbox_queued" ON "outbox" USING btree ("next_attempt_at") WHERE "outbox"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "outbox_sending" ON "outbox" USING btree ("claimed_until") WHERE "outbox"."state" = 'sending';--> statement-breakpoint
CREATE INDEX "outbox_newest" ON "outbox" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "outbox_of_invitation" ON "outbox" USING btree ("invitation_id");--> statement-breakpoint
CREATE INDEX "outbox_not_sent" ON "outbox" USING btree ("state") WHERE "outbox"."state" <> 'sent';--> statement-breakpoint
CREATE INDEX "outbox_sent" ON "outbox" USING btree ("sent_at") WHERE "outbox"."state" = 'sent';--> statement-breakpoint
CREATE UNIQUE INDEX "outbox_one_receipt" ON "outbox" USING btree ("participant_id") WHERE "outbox"."participant_id" is not null;--> statement-breakpoint
CREATE INDEX "participant_messages_of" ON "participant_messages" USING btree ("participant_id","at");--> statement-breakpoint
CREATE INDEX "evidence_of" ON "evidence" USING btree ("participant_id","received_at");--> statement-breakpoint
CREATE INDEX "evidence_of_violation" ON "evidence" USING btree ("violation_id");--> statement-breakpoint
CREATE INDEX "evidence_keys_kept" ON "evidence_keys" USING btree ("created_at") WHERE "evidence_keys"."sealed_key" is not null;--> statement-breakpoint
CREATE INDEX "evidence_keys_leftover" ON "evidence_keys" USING btree ("destroyed_at") WHERE "evidence_keys"."sealed_key" is null and "evidence_keys"."files_removed_at" is null;--> statement-breakpoint
CREATE INDEX "still_hashes_same" ON "still_hashes" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "still_hashes_of_evidence" ON "still_hashes" USING btree ("evidence_id");--> statement-breakpoint
CREATE INDEX "violations_of" ON "violations" USING btree ("participant_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_token" ON "sessions" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_one_per_invitation" ON "sessions" USING btree ("invitation_id") WHERE "sessions"."ended_at" is null and "sessions"."invitation_id" is not null;--> statement-breakpoint
CREATE INDEX "sessions_of_admin" ON "sessions" USING btree ("admin_id");--> statement-breakpoint
CREATE INDEX "sessions_ended_of_invitation" ON "sessions" USING btree ("invitation_id","ended_at") WHERE "sessions"."invitation_id" is not null and "sessions"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_failures_until" ON "sign_in_failures" USING btree ("blocked_until");--> statement-breakpoint
CREATE UNIQUE INDEX "admins_email_key" ON "admins" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "pending_sign_ins_of_admin" ON "pending_sign_ins" USING btree ("admin_id");--> statement-breakpoint
CREATE INDEX "pending_sign_ins_expiry" ON "pending_sign_ins" USING btree ("expires_at");