-- Finds parts of words by an index. It comes with PostgreSQL, and whoever owns the database may create it.
CREATE EXTENSION IF NOT EXISTS "pg_trgm";--> statement-breakpoint
-- Plain letters in ASCII alone: pg_trgm leaves out all others where the locale is C, as it is in the embedded database.
-- A letter that is not of ASCII is one in capitals, which plain letters never have, its code in digits from Q to Z, and
-- the same capital again: where it begins and ends is seen, so that a part of such a text is a part of the letters; and
-- two neighbors meet in one trigram, so that a word is rarer than its letters. A Chinese name of one letter has enough
-- trigrams for the index.
CREATE FUNCTION "search_letters"(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  CASE WHEN octet_length($1) = char_length($1) THEN lower($1 COLLATE "C")
  ELSE array_to_string(ARRAY(
    SELECT CASE WHEN ascii(c) < 128 THEN c
      ELSE chr(65 + ascii(c) % 16) || translate((ascii(c) / 16)::text, '0123456789', 'QRSTUVWXYZ') || chr(65 + ascii(c) % 16) END
    FROM string_to_table(plain_letters($1), NULL) c), '') END;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "person_search_text"(email text, given text, family text, number text, groups text[], fields jsonb)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  search_letters(concat_ws(E'\n', email, nullif(given || ' ' || family, ' '), nullif(family || ' ' || given, ' '), number,
    nullif(array_to_string(groups, E'\n'), ''), (SELECT string_agg(f.value, E'\n') FROM jsonb_each_text(fields) f)));--> statement-breakpoint
-- large table: all rows have the same value at first, so that it takes no time that grows.
ALTER TABLE "questions" ADD COLUMN "search_text" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE FUNCTION "keep_search_text"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_text := coalesce((
    SELECT search_letters(concat_ws(E'\n', v.question, array_to_string(v.option_texts, E'\n'), v.details ->> 'explanation',
      NEW.note, array_to_string(NEW.tags, E'\n')))
    FROM question_versions v WHERE v.question_id = NEW.id AND v.version = NEW.current_version), '');
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "questions_search_text" BEFORE UPDATE OF "current_version", "tags", "note" ON "questions"
  FOR EACH ROW EXECUTE FUNCTION keep_search_text();--> statement-breakpoint
-- large table: one row is touched, the question whose version was written.
CREATE FUNCTION "renew_search_text"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE questions SET current_version = current_version WHERE id = NEW.question_id AND current_version = NEW.version;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "question_versions_search_text" AFTER INSERT OR UPDATE OF "question", "option_texts", "details" ON "question_versions"
  FOR EACH ROW EXECUTE FUNCTION renew_search_text();--> statement-breakpoint
-- large table: every search reads it, and 100,000 questions, half of them not in Latin letters, took 19 s on two busy cores.
UPDATE "questions" SET "current_version" = "current_version";--> statement-breakpoint
-- large table: building it for 100,000 questions took 6 s there.
CREATE INDEX "questions_search" ON "questions" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "search_text";--> statement-breakpoint
-- large table: 100,000 people written again 8 s, last, so that sign-ins wait for these two alone.
ALTER TABLE "users" ADD COLUMN "search_text" text GENERATED ALWAYS AS (person_search_text(email, given_name, family_name, external_id, groups, fields)) STORED NOT NULL;--> statement-breakpoint
-- large table: building it for 100,000 people took 2 s.
CREATE INDEX "users_search" ON "users" USING gin ("search_text" gin_trgm_ops);
