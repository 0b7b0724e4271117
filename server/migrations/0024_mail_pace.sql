ALTER TABLE "smtp_settings" ADD COLUMN "per_minute" integer;--> statement-breakpoint
ALTER TABLE "smtp_settings" ADD COLUMN "per_minute_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "smtp_settings" ADD COLUMN "next_send_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "smtp_settings" ADD COLUMN "paused_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "smtp_settings" ADD COLUMN "pauses" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "smtp_settings" ADD COLUMN "fault" text;--> statement-breakpoint
ALTER TABLE "smtp_settings" ADD COLUMN "fault_text" text;