ALTER TABLE "quizzes" ADD COLUMN "start_by" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "quizzes" ADD COLUMN "reminders" jsonb;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "start_by" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "reminded_of_opening" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "reminded_of_end" timestamp (3) with time zone;