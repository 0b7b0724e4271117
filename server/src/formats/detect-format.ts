import { type ImportedFile, UnreadableFile } from './imported-file.ts';

/** Reads a question file of any format, told by its content. Throws UnreadableFile. */
export async function readQuestionFile(
  file: { name: string; bytes: Uint8Array },
  _onItem: (count: number) => void,
): Promise<ImportedFile> {
  throw new UnreadableFile(`${file.name} is not a question file that can be read`);
}
