import { globSync } from 'node:fs';
import { formatter } from '@lingui/format-po';
import { type Part, partOf, textsIn } from './web/texts.ts';

interface Extracted {
  id: string;
  message: string;
  comment: string | undefined;
  origin: [string, number];
  placeholders: Record<string, string>;
}

/** The files of a part, as Lingui takes them: it knows patterns only. */
const filesOf = (part: Part) =>
  globSync(['core/src/**/*.{ts,tsx}', 'server/src/**/*.ts', 'web/src/**/*.{ts,tsx}']).filter(
    (file) => !/\.test\.tsx?$|\/testing\/|\.d\.ts$/.test(file) && partOf(file) === part,
  );

/**
 * `npm run texts` gathers the texts of the source into core/locales: one file for what candidates see and what
 * everybody sees, one for the portal, one for what the server sends.
 */
export default {
  locales: ['en'],
  sourceLocale: 'en',
  orderBy: 'messageId',
  format: formatter({
    lineNumbers: false,
    explicitIdAsDefault: true,
    customHeaderAttributes: { 'POT-Creation-Date': '' },
  }),
  catalogs: (['candidate', 'portal', 'server'] as const).map((part) => ({
    path: `core/locales/{locale}/${part}`,
    include: filesOf(part),
  })),
  extractors: [
    {
      match: (file: string) => /\.tsx?$/.test(file),
      async extract(file: string, code: string, onFound: (text: Extracted) => void) {
        for (const { id, english, comment, line } of textsIn(file, code)) {
          onFound({ id, message: english, comment, origin: [file, line], placeholders: {} });
        }
      },
    },
  ],
};
