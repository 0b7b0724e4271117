-- Letters as people search for names: folded, and without the accents of Latin, Greek and Cyrillic letters. Those of
-- other scripts are letters' own parts, and stay.
CREATE FUNCTION "plain_letters"(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  CASE WHEN octet_length($1) = char_length($1) THEN lower($1 COLLATE "C")
  ELSE replace(replace(replace(translate(normalize(regexp_replace(normalize(fold_case($1), NFD), U&'[\0300-\036F]', '', 'g'), NFC),
    'łøđð', 'lodd'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') COLLATE "C" END;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "person_search_text"(email text, given text, family text, number text, groups text[], fields jsonb)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  plain_letters(concat_ws(E'\n', email, nullif(given || ' ' || family, ' '), nullif(family || ' ' || given, ' '), number,
    nullif(array_to_string(groups, E'\n'), ''), (SELECT string_agg(f.value, E'\n') FROM jsonb_each_text(fields) f)));--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "search_text";--> statement-breakpoint
-- large table: every search reads it; 100,000 people are written again in seconds.
ALTER TABLE "users" ADD COLUMN "search_text" text GENERATED ALWAYS AS (person_search_text(email, given_name, family_name, external_id, groups, fields)) STORED NOT NULL;
