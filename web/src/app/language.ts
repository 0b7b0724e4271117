import { speak } from '@invigil/core/texts/i18n';
import type { Messages } from '@lingui/core';

type Fetch = () => Promise<{ default: Messages }>;

/** The catalogues that the build has, by file: candidates load their own only. */
const CANDIDATE = import.meta.glob<{ default: Messages }>('../../../core/locales/*/candidate.po');
const PORTAL = import.meta.glob<{ default: Messages }>('../../../core/locales/*/portal.po');

const tagIn = (file: string): string => file.split('/').at(-2) ?? '';
const byTag = (files: Record<string, Fetch>): ReadonlyMap<string, Fetch> =>
  new Map(Object.entries(files).map(([file, fetch]) => [tagIn(file), fetch]));

const PARTS = { candidate: byTag(CANDIDATE), portal: byTag(PORTAL) };

/**
 * Takes a language into use, with the texts of the candidate's screens and, for administrators, those of the
 * portal too. Rejects if they cannot be fetched: nothing is shown in half a language.
 */
export async function loadLanguage(tag: string, part: keyof typeof PARTS): Promise<void> {
  const wanted = part === 'portal' ? [PARTS.candidate, PARTS.portal] : [PARTS.candidate];
  const fetched = await Promise.all(wanted.map((files) => files.get(tag)?.()));
  speak(tag, Object.assign({}, ...fetched.map((each) => each?.default)) as Messages);
}
