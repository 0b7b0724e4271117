CREATE TABLE "result_releases" (
	"id" uuid PRIMARY KEY NOT NULL,
	"participant_id" uuid NOT NULL,
	"released_at" timestamp (3) with time zone NOT NULL,
	"released_by" uuid,
	"result" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "quizzes" ADD COLUMN "release_rules" jsonb;--> statement-breakpoint
ALTER TABLE "result_releases" ADD CONSTRAINT "result_releases_participant_id_participants_id_fk" FOREIGN KEY ("participant_id") REFERENCES "public"."participants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "result_releases" ADD CONSTRAINT "result_releases_released_by_admins_id_fk" FOREIGN KEY ("released_by") REFERENCES "public"."admins"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "result_releases_of" ON "result_releases" USING btree ("participant_id","released_at" DESC NULLS FIRST);