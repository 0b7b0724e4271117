ALTER TABLE "invitations" ADD COLUMN "entered" jsonb;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "entered_for" uuid;--> statement-breakpoint
-- large table: the column is new and empty, so the check reads 100,000 people in a moment.
ALTER TABLE "users" ADD CONSTRAINT "users_entered_for_quizzes_id_fk" FOREIGN KEY ("entered_for") REFERENCES "public"."quizzes"("id") ON DELETE no action ON UPDATE no action;