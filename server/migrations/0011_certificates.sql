CREATE TABLE "certificates" (
	"number" text PRIMARY KEY NOT NULL,
	"participant_id" uuid NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"issued_by" uuid,
	"content" jsonb NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"seal" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "institution" ADD COLUMN "logo" text;--> statement-breakpoint
ALTER TABLE "certificates" ADD CONSTRAINT "certificates_participant_id_participants_id_fk" FOREIGN KEY ("participant_id") REFERENCES "public"."participants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificates" ADD CONSTRAINT "certificates_issued_by_admins_id_fk" FOREIGN KEY ("issued_by") REFERENCES "public"."admins"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "certificates_of" ON "certificates" USING btree ("participant_id","issued_at" DESC NULLS FIRST);