import { contentProblems } from '@invigil/core/content/content-problems';
import { ALT_TO_WRITE } from './text-commands.ts';

/** What must be changed in a Markdown text, as the server says it, each sentence once. */
export function textProblems(text: string): string[] {
  const sentences = contentProblems(text).map(({ line, sentence }) => `Line ${line}: ${sentence}`);
  const place = text.split('\n').findIndex((line) => line.includes(`![${ALT_TO_WRITE}](image:`));
  if (place >= 0) {
    sentences.push(
      `Line ${place + 1}: Describe the picture for people who cannot see it: replace “${ALT_TO_WRITE}”.`,
    );
  }
  return [...new Set(sentences)];
}
