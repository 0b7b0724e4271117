ALTER TABLE "quizzes" ADD COLUMN "time_rules" jsonb;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "own_times" jsonb;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "opens_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "end_date" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "duration" smallint;