import catalogues from 'catalogues:list';
import type { Account } from '@invigil/core/contract/accounts/auth';
import { currentLanguage, isRightToLeft, takeLanguageFrom } from '@invigil/core/domain/locale';
import { addTexts } from '@invigil/core/texts/i18n';
import { isPseudo } from '@invigil/core/texts/languages';
import { useSyncExternalStore } from 'react';

type Part = keyof typeof catalogues;

/** The server reads it too, for the sentences of its refusals. */
const COOKIE = 'language';

let inUse = 'en';
/** The latest that was asked for: its texts may be on their way. */
let wanted = inUse;
takeLanguageFrom(() => inUse);

/** A page has the texts of the test, and with other screens those of the rest: a reload in the test waits for no more. */
const parts = new Set<Part>(['test']);
const watchers = new Set<() => void>();

/** Draws a component, and all in it, again in another language. */
export const useLanguage = (): string => useSyncExternalStore(watch, currentLanguage);

function watch(onChange: () => void) {
  watchers.add(onChange);
  return () => void watchers.delete(onChange);
}

/** Tags of the languages that this installation offers, the first for who prefers none of them. */
export function offeredLanguages(): string[] {
  const named = document.querySelector<HTMLMetaElement>('meta[name="languages"]');
  return named?.content.split(' ') ?? ['en'];
}

const chosenHere = (): string | undefined => /(?:^|; )language=([\w-]+)/.exec(document.cookie)?.[1];

/** Takes the language of the page into use: the one that was chosen in this browser, else what the server found. */
export function speakAsLoaded(): Promise<void> {
  const chosen = chosenHere();
  const isKnown = chosen !== undefined && (chosen in catalogues.test || isPseudo(chosen));
  return speak(isKnown ? chosen : document.documentElement.lang);
}

/** Takes a language into use, and until the browser is closed. Rejects if its texts cannot be fetched. */
export async function chooseLanguage(tag: string): Promise<void> {
  await speak(tag);
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: supported browsers have no Cookie Store API.
  document.cookie = `${COOKIE}=${tag}; Path=/; SameSite=Lax${secure}`;
}

/** Takes the language of the one who is signed in into use, unless another of theirs was chosen here. */
export async function speakTo({ role, language, languages = [] }: Account): Promise<void> {
  if (isPseudo(inUse)) return;
  const chosen = chosenHere();
  const wished = language ?? (role === 'admin' ? 'en' : undefined);
  if (wished === undefined || languages.some((tag) => tag === chosen)) return;
  // English needs no cookie, which would stay for a candidate at this browser.
  if (wished === inUse && wished === (chosen ?? 'en')) return;
  await chooseLanguage(wished);
}

/** Forgets the choice: another person may follow in this browser. The page stays as it is. */
export function forgetLanguage(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: as above.
  document.cookie = `${COOKIE}=; Path=/; Max-Age=0`;
}

/** Gets the texts of parts of the screens too, before they are shown. Rejects as `chooseLanguage`. */
export async function needTexts(...more: Part[]): Promise<void> {
  for (const part of more) parts.add(part);
  await Promise.all(more.map((part) => fetchTexts(wanted, part)));
}

/** A loader of code that needs the texts beside the test too. */
export const withTexts =
  <Code>(load: () => Promise<Code>) =>
  async (): Promise<Code> => {
    const [code] = await Promise.all([load(), needTexts('candidate')]);
    return code;
  };

/** Takes a language into use. Rejects if its texts cannot be fetched: nothing is shown in half a language. */
async function speak(tag: string): Promise<void> {
  wanted = tag;
  await Promise.all([...parts].map((part) => fetchTexts(tag, part)));
  // Another one was asked for meanwhile.
  if (wanted !== tag) return;
  inUse = tag;
  document.documentElement.lang = tag;
  document.documentElement.dir = isRightToLeft(tag) ? 'rtl' : '';
  for (const draw of watchers) draw();
}

async function fetchTexts(tag: string, part: Part): Promise<void> {
  const fetchPart = catalogues[part][tag] ?? (await import('catalogues:more')).default[part][tag];
  if (fetchPart === undefined) throw new Error(`no texts in ${tag}`);
  addTexts(tag, (await fetchPart()).default);
}
