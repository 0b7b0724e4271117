import type { Messages } from '@lingui/core';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import PO from 'pofile';

/**
 * The compiled texts of a PO file by id; what is not translated is left out.
 *
 * @throws Error at a text that is no ICU message
 */
export function readCatalogue(po: string): Messages {
  const translated = PO.parse(po).items.filter(({ obsolete, msgstr }) => !obsolete && msgstr[0]);
  return Object.fromEntries(
    translated.map(({ msgid, msgstr: [text = ''] }) => [msgid, compileMessageOrThrow(text)]),
  );
}
