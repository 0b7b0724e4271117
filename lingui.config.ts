import { formatter } from '@lingui/format-po';
import { textsIn } from './web/texts.ts';

interface Extracted {
  id: string;
  message: string;
  comment: string | undefined;
  origin: [string, number];
  placeholders: Record<string, string>;
}

const TESTS = ['**/*.test.ts', '**/*.test.tsx', '**/testing/**'];

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
  catalogs: [
    {
      path: 'core/locales/{locale}/candidate',
      include: ['core/src', 'web/src'],
      exclude: ['web/src/admin/**', ...TESTS],
    },
    { path: 'core/locales/{locale}/portal', include: ['web/src/admin'], exclude: TESTS },
    { path: 'core/locales/{locale}/server', include: ['server/src'], exclude: TESTS },
  ],
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
