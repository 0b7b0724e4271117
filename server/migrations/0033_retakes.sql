ALTER TABLE "participants" DROP CONSTRAINT "participants_replaced_how";--> statement-breakpoint
ALTER TABLE "quizzes" ADD COLUMN "retakes" jsonb;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "attempts" smallint;