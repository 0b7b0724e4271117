import { isLanguage, isPseudo } from '@invigil/core/texts/languages';
import type { FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { inLanguage } from '../runtime/language.ts';

/** The language that was chosen in this browser (web/src/lib/language.ts). */
export function chosenLanguage({ headers }: FastifyRequest): string | undefined {
  const [, tag] = /(?:^|;\s*)language=([\w-]{2,20})(?:;|$)/.exec(headers.cookie ?? '') ?? [];
  return known(tag);
}

/** The language of the page that asks, which names it (web/src/net/api.ts); a page itself has been chosen for. */
export const languageOf = (request: FastifyRequest): string | undefined =>
  known(request.headers['x-language']) ?? chosenLanguage(request);

const known = (tag: unknown): string | undefined =>
  typeof tag === 'string' && (isLanguage(tag) || isPseudo(tag)) ? tag : undefined;

/** The languages that the browser asks for, the dearest first. */
export const preferredLanguages = ({ headers }: FastifyRequest): string[] =>
  (headers['accept-language'] ?? '')
    .slice(0, 200)
    .split(',')
    .map((part) => {
      const [tag = '', ...settings] = part.trim().split(/\s*;\s*/);
      const weight = settings.find((setting) => setting.startsWith('q='));
      return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);

/**
 * Answers a request in the language of its page; other programs are answered in English,
 * whatever they prefer.
 */
export const languagePlugin = plugin(
  async (app) => {
    // Once the body is here: its events do not belong to what waits for them.
    app.addHook('preValidation', (request, _reply, done) => {
      const language = languageOf(request);
      if (language === undefined) done();
      else inLanguage(language, done);
    });
  },
  { name: 'language' },
);
