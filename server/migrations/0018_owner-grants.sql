-- Nothing stored was an owner of everything. The next start seals them anew (trust/extend-seals.ts).
UPDATE "admins" SET "grants" = '[{"role":"owner"}]' WHERE "grants" IS NULL;--> statement-breakpoint
ALTER TABLE "admins" ALTER COLUMN "grants" SET NOT NULL;
