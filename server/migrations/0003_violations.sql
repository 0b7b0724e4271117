CREATE TABLE "evidence" (
	"id" uuid PRIMARY KEY NOT NULL,
	"participant_id" uuid NOT NULL,
	"violation_id" uuid,
	"at" timestamp (3) with time zone NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"stored_at" timestamp (3) with time zone,
	"stills" smallint NOT NULL,
	"has_levels" boolean NOT NULL,
	"bytes" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "evidence_keys" (
	"participant_id" uuid PRIMARY KEY NOT NULL,
	"sealed_key" "bytea",
	"created_at" timestamp (3) with time zone NOT NULL,
	"destroyed_at" timestamp (3) with time zone,
	CONSTRAINT "evidence_keys_whole" CHECK (("evidence_keys"."sealed_key" is null) = ("evidence_keys"."destroyed_at" is not null))
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
ALTER TABLE "participant_events" DROP CONSTRAINT "participant_events_kind";--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "is_phone" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "monitor_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "silent_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "review_flags" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "verdict" text;--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "verdict_note" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "verdict_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "verdict_by" uuid;--> statement-breakpoint
ALTER TABLE "evidence" ADD CONSTRAINT "evidence_participant_id_evidence_keys_participant_id_fk" FOREIGN KEY ("participant_id") REFERENCES "public"."evidence_keys"("participant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evidence" ADD CONSTRAINT "evidence_violation_id_violations_id_fk" FOREIGN KEY ("violation_id") REFERENCES "public"."violations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evidence_keys" ADD CONSTRAINT "evidence_keys_participant_id_participants_id_fk" FOREIGN KEY ("participant_id") REFERENCES "public"."participants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "violations" ADD CONSTRAINT "violations_participant_id_participants_id_fk" FOREIGN KEY ("participant_id") REFERENCES "public"."participants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "evidence_of" ON "evidence" USING btree ("participant_id","received_at");--> statement-breakpoint
CREATE INDEX "evidence_of_violation" ON "evidence" USING btree ("violation_id");--> statement-breakpoint
CREATE INDEX "evidence_keys_kept" ON "evidence_keys" USING btree ("participant_id") WHERE "evidence_keys"."sealed_key" is not null;--> statement-breakpoint
CREATE INDEX "violations_of" ON "violations" USING btree ("participant_id","at");--> statement-breakpoint
ALTER TABLE "participants" ADD CONSTRAINT "participants_verdict_by_admins_id_fk" FOREIGN KEY ("verdict_by") REFERENCES "public"."admins"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "participants_to_review" ON "participants" USING btree ("started_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "participants"."replaced_at" is null and "participants"."verdict" is null and "participants"."status" <> 'in_progress'
          and "participants"."counted_violations" + "participants"."violation_calls" + "participants"."fullscreen_exits" + "participants"."tab_switches" + "participants"."review_flags" > 0;--> statement-breakpoint
CREATE INDEX "participants_running" ON "participants" USING btree ("id") WHERE "participants"."status" = 'in_progress';--> statement-breakpoint
ALTER TABLE "participant_events" ADD CONSTRAINT "participant_events_kind" CHECK ("participant_events"."kind" in ('started', 'resumed', 'signed_in', 'extended', 'ending', 'message', 'limit_reached', 'reported', 'gap', 'replaced', 'ended'));--> statement-breakpoint
ALTER TABLE "participants" ADD CONSTRAINT "participants_verdict" CHECK ("participants"."verdict" in ('no_concern', 'talk', 'breach'));--> statement-breakpoint
ALTER TABLE "participants" ADD CONSTRAINT "participants_verdict_whole" CHECK (("participants"."verdict" is null) = ("participants"."verdict_at" is null)
        and ("participants"."verdict" is null or "participants"."status" <> 'in_progress'));