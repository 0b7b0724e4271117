import type { TextFormat } from '@invigil/core/domain/questions/question-definition';
import { createContext } from 'react';
import { z } from 'zod';
import { localKey } from '../../../../lib/person/local-keys.ts';

/** Whether an author writes Markdown source on this device, as some do with a screen reader. */
export const sourceViewKey = localKey('writesMarkdownSource', z.boolean());

/** How the texts of a question are edited. */
interface TextView {
  /** The format in which they will be stored: those without marks are plain, in which HTML is a text. */
  storedAs: TextFormat;
  /** The author wants the Markdown source. */
  isSource: boolean;
  setSource(isSource: boolean): void;
}

export const TextView = createContext<TextView>({
  storedAs: 'markdown',
  isSource: false,
  setSource: () => undefined,
});
