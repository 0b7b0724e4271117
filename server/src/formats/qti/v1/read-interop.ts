import { type ImportedItem, refuseTooMany } from '../../imported-file.ts';
import { readXml } from '../../xml/read-xml.ts';
import {
  childOf,
  childrenOf,
  descendantsOf,
  textOf,
  type XmlElement,
} from '../../xml/xml-element.ts';
import { NotSupported } from '../fit/score.ts';
import type { PackageFiles } from '../item/package-files.ts';
import { type ItemHead, importItem, type RawQuestion } from '../item/raw-question.ts';
import { metadataOf } from './metadata.ts';
import { presentationHtml } from './presentation.ts';
import { readItem } from './read-item.ts';

/** Sections without a name of their own. */
const NO_NAMES = ['root_section', 'main'];

/**
 * Reads a file that may be QTI 1.2. Items are taken out of the tree as they end, so that a file with
 * thousands of them needs no more memory than one with one.
 */
export async function readInterop(
  bytes: Uint8Array,
  headOf: (item: XmlElement, identifier: string | undefined) => ItemHead,
  files: PackageFiles,
  add: (item: ImportedItem) => void,
): Promise<{ isInterop: boolean; root: XmlElement; banks: Banks }> {
  const read: { head: ItemHead; question: RawQuestion | NotSupported }[] = [];
  const stimuli = new Map<string, string>();
  const root = readXml(bytes, {
    elements: ['item'],
    onElement: (item, parents) => {
      if (parents[0]?.name !== 'questestinterop') return;
      refuseTooMany(read.length + 1);
      const metadata = metadataOf(item);
      const { ident } = item.attributes;
      if (metadata.get('question_type') === 'text_only_question' && ident !== undefined) {
        const presentation = childOf(item, 'presentation');
        if (presentation) stimuli.set(ident, presentationHtml(presentation));
      }
      const head = headOf(item, ident);
      const category = head.categoryPath.length > 0 ? head.categoryPath : titlesOf(parents);
      const stimulus = stimuli.get(metadata.get('parent_stimulus_item_ident') ?? '');
      read.push({
        head: { ...head, categoryPath: category },
        question: attempt(() => readItem(item, stimulus)),
      });
    },
  });
  for (const { head, question } of read) {
    add(
      await importItem(head, files, () => {
        if (question instanceof NotSupported) throw question;
        return question;
      }),
    );
  }
  return { isInterop: root.name === 'questestinterop', root, banks: banksOf(root) };
}

/** Canvas' banks of questions: those that a file is, and those that it takes questions from. */
export interface Banks {
  own: string[];
  used: string[];
}

function banksOf(root: XmlElement): Banks {
  const used = [
    ...descendantsOf(root, 'sourcebank_ref').map((bank) => textOf(bank).trim()),
    ...descendantsOf(root, 'bankentry_item').map(
      ({ attributes }) => attributes.sourcebank_ref ?? '',
    ),
  ];
  const own = descendantsOf(root, 'objectbank').map(({ attributes }) => attributes.ident ?? '');
  return { own, used: used.filter((bank) => bank !== '') };
}

function attempt(read: () => RawQuestion): RawQuestion | NotSupported {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotSupported) return error;
    throw error;
  }
}

/** Titles of the assessment or bank and of the sections around an item. */
function titlesOf(parents: readonly XmlElement[]): string[] {
  return parents
    .map((parent) => parent.attributes.title ?? bankTitleOf(parent))
    .map((title) => title.trim())
    .filter((title) => title !== '' && !NO_NAMES.includes(title.toLowerCase()));
}

function bankTitleOf(parent: XmlElement): string {
  const [metadata] = childrenOf(parent, 'qtimetadata');
  return metadata ? (metadataOf(metadata).get('bank_title') ?? '') : '';
}
