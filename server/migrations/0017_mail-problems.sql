ALTER TABLE "outbox" ADD COLUMN "last_reply" text;--> statement-breakpoint
-- Without what it means, which its code says: "Your mail provider …: 550 5.4.5 …".
UPDATE "smtp_settings" SET "fault_text" = substring("fault_text" from position(': ' in "fault_text") + 2);
