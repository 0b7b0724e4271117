import { figureText } from '@invigil/core/domain/locale';
import type { FileFormat } from '@invigil/core/domain/questions/question-files';
import { t } from '@invigil/core/texts/i18n';
import {
  type ImportedItem,
  type ImportSink,
  type ReadFile,
  type ReadSummary,
  TooManyItems,
  UnreadableFile,
} from '../imported-file.ts';
import { type Archive, isArchive, openArchive } from '../read-archive.ts';
import { percentDecoded } from '../text/decode-text.ts';
import { descendantsOf, type XmlElement } from '../xml/xml-element.ts';
import { type Manifest, readManifest } from './item/manifest.ts';
import { normalized, type PackageFiles, packageFiles } from './item/package-files.ts';
import { type ItemHead, importItem } from './item/raw-question.ts';
import { type Banks, readInterop } from './v1/read-interop.ts';
import { normalizeNames } from './v2/normalize.ts';
import { readItem } from './v2/read-item.ts';
import { type ItemPlace, itemReferences, sectionTexts } from './v2/read-test.ts';
import { sharedText } from './v2/shared-text.ts';

/** Folders of a Canvas export in which no file has questions. */
const NO_QUESTIONS =
  /(?:^|\/)(?:imsmanifest\.xml|assessment_meta\.xml|course_settings\/.*|__MACOSX\/.*)$/;

/** The beginning of a test, or of a section of one, of any version. */
const TEST = /<(?:[\w.-]+:)?(?:qti-)?assessment-?(?:test|section)[\s>]/i;

const QUESTION_FILE = /\.(?:xml|qti|dat)$/i;

/** The contents of a package that were found so far. */
interface Found {
  items: number;
  problems: string[];
  formats: Set<FileFormat>;
  /** Places of items in tests, by the path of the file. */
  places: Map<string, ItemPlace>;
  banks: Banks;
  sink: ImportSink;
}

/**
 * Reads QTI 1.2, 2.x and 3.0: a single file, a package, a Canvas export or a Common Cartridge. A broken
 * file in a package is a problem with its name; the others come through.
 */
export const readQti: ReadFile = async ({ name, bytes }, sink) => {
  const found: Found = {
    items: 0,
    problems: [],
    formats: new Set(),
    places: new Map(),
    banks: { own: [], used: [] },
    sink,
  };
  if (!isArchive(bytes)) {
    const files = packageFiles(sink, null);
    await readFile(name, bytes, null, files, found);
    addMissingBanks(found);
    if (found.items === 0) throw new UnreadableFile(whyNone(found));
    return finished(found, false);
  }
  const archive = await openArchive(bytes);
  const manifestPath = archive.paths.find((p) => /(?:^|\/)imsmanifest\.xml$/i.test(p)) ?? '';
  const root = manifestPath.slice(0, manifestPath.lastIndexOf('/') + 1);
  const files = packageFiles(sink, archive, root);
  const manifest = await manifestOf(archive, manifestPath, root, found);
  const read = async (path: string, isWanted = (_start: string) => true) => {
    try {
      const content = await archive.read(path);
      const start = Buffer.from(content.subarray(0, 2_000)).toString('latin1');
      if (!isWanted(start.replaceAll('\0', ''))) return false;
      await readFile(path, content, manifest, files, found);
    } catch (error) {
      if (!(error instanceof UnreadableFile) || error instanceof TooManyItems) throw error;
      found.problems.push(`${path}: ${error.message}`);
    }
    return true;
  };
  // Tests first: they say in which order their items come, and under which titles.
  const others = new Set<string>();
  for (const path of questionFiles(archive, manifest)) {
    if (!(await read(path, (start) => TEST.test(start)))) others.add(path);
  }
  for (const path of found.places.keys()) {
    if (others.delete(path)) await read(path);
  }
  for (const path of others) await read(path);
  addMissing(archive, manifest, found);
  addMissingBanks(found);
  if (found.items === 0 && found.problems.length === 0) {
    throw new UnreadableFile(t('import.qti.noItemsInArchive', 'The archive has no QTI items.'));
  }
  return finished(found, manifest?.isCommonCartridge ?? name.endsWith('.imscc'));
};

/** Why a single file has no items. */
function whyNone({ places, banks, problems }: Found): string {
  if (places.size > 0) {
    return t(
      'import.qti.test',
      'This file is a test, whose items are other files. Import the package with all of them.',
    );
  }
  return (
    (banks.used.length > 0 ? problems.at(-1) : undefined) ??
    t('import.qti.noItems', 'This XML file has no QTI items.')
  );
}

function finished(found: Found, isCartridge: boolean): ReadSummary {
  const [format = 'qti_2'] = isCartridge ? (['common_cartridge'] as const) : found.formats;
  return { format, problems: limited(found.problems) };
}

/** Nobody reads more of them, and an archive may have forty thousand broken files. */
const MOST_PROBLEMS = 200;

function limited(all: readonly string[]): string[] {
  const problems = [...new Set(all)];
  const more = problems.length - MOST_PROBLEMS;
  if (more <= 0) return problems;
  return [
    ...problems.slice(0, MOST_PROBLEMS),
    t(
      /* ends a list of problems */ 'import.qti.moreLikeThese',
      '{more, plural, one {# more like these.} other {# more like these.}}',
      { more },
    ),
  ];
}

/** Files that are not there say so, up to this many. */
const MOST_MISSING = 20;

/** Names the files with items that the manifest or a test names and the package does not have. */
function addMissing(archive: Archive, manifest: Manifest | null, found: Found): void {
  const named = new Set([...(manifest?.facts.keys() ?? []), ...found.places.keys()]);
  const missing = [...named].filter((path) => QUESTION_FILE.test(path) && !archive.has(path));
  for (const path of missing.slice(0, MOST_MISSING)) {
    found.problems.push(
      t('import.qti.notInPackage', '“{path}” is named in the package, but not in it.', {
        path: path.slice(0, 200),
      }),
    );
  }
  if (missing.length > MOST_MISSING) {
    found.problems.push(moreMissingText(missing.length - MOST_MISSING));
  }
}

const moreMissingText = (count: number): string =>
  t(
    /* ends a list of missing files; {figure} is the same number as {count} */ 'import.qti.moreMissing',
    '{count, plural, one {{figure} more files are missing.} other {{figure} more files are missing.}}',
    { count, figure: figureText(count) },
  );

/** A quiz of Canvas may draw from banks that only the export of the whole course has. */
function addMissingBanks({ banks, problems }: Found): void {
  const missing = new Set(banks.used.filter((bank) => !banks.own.includes(bank)));
  if (missing.size === 0) return;
  problems.push(
    t(
      'import.qti.missingBanks',
      '{count, plural, =1 {Questions come from a question bank that is not in the file. Export the whole course, or the bank.} one {Questions come from # question bank that is not in the file. Export the whole course, or the bank.} other {Questions come from # question banks that are not in the file. Export the whole course, or the bank.}}',
      { count: missing.size },
    ),
  );
}

async function manifestOf(
  archive: Archive,
  path: string,
  root: string,
  found: Found,
): Promise<Manifest | null> {
  if (path === '') return null;
  try {
    return readManifest(await archive.read(path), root);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    found.problems.push(`${path}: ${error.message}`);
    return null;
  }
}

/** XML files, those of the manifest first and in its order. */
function questionFiles(archive: Archive, manifest: Manifest | null): string[] {
  const listed = [...(manifest?.facts.keys() ?? [])].filter((path) => archive.has(path));
  return [...new Set([...listed, ...archive.paths])].filter((path) => {
    if (!QUESTION_FILE.test(path) || NO_QUESTIONS.test(path)) return false;
    // Canvas exports each quiz twice; the copy that is not for other systems says more.
    const [, root = '', folder] = /^(.*\/)?([^/]+)\/assessment_qti\.xml$/.exec(path) ?? [];
    return folder === undefined || !archive.has(`${root}non_cc_assessments/${folder}.xml.qti`);
  });
}

/** Reads one file; `false` when it is not QTI. */
async function readFile(
  path: string,
  bytes: Uint8Array,
  manifest: Manifest | null,
  files: PackageFiles,
  found: Found,
): Promise<boolean> {
  const facts = manifest?.facts.get(path);
  const head = (root: XmlElement, identifier: string | undefined): ItemHead => ({
    source: { file: path, identifier, line: root.line },
    title: (root.attributes.title ?? '').trim(),
    tags: facts?.tags ?? [],
    categoryPath: facts?.categoryPath ?? [],
    difficulty: facts?.difficulty,
  });
  const add = (item: ImportedItem) => {
    const { categoryPath } = item;
    const place = categoryPath.length > 0 ? categoryPath : (found.places.get(path)?.path ?? []);
    found.sink.item({ ...item, categoryPath: place });
    found.items += 1;
  };
  const old = await readInterop(bytes, head, files, add);
  if (old.isInterop) {
    found.banks.own.push(...old.banks.own);
    found.banks.used.push(...old.banks.used);
    found.formats.add('qti_1_2');
    return true;
  }
  const isQti3 = old.root.name.startsWith('qti-');
  const root = isQti3 ? normalizeNames(old.root) : old.root;
  if (root.name === 'assessmentTest' || root.name === 'assessmentSection') {
    found.formats.add(isQti3 ? 'qti_3' : 'qti_2');
    for (const { href, ...place } of itemReferences(root)) {
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      const target = normalized(folder + percentDecoded(href));
      if (target !== null && !found.places.has(target)) found.places.set(target, place);
    }
    found.problems.push(...sectionTexts(root).map((sentence) => `${path}: ${sentence}`));
    return true;
  }
  if (root.name !== 'assessmentItem') return false;
  found.formats.add(isQti3 ? 'qti_3' : 'qti_2');
  add(
    await importItem(head(root, root.attributes.identifier), files, async () => {
      const { texts, notes } = await otherTexts(root, path, files);
      const { shape, ...question } = readItem(root, texts);
      const { weight = 1, notes: ofTest = [] } = found.places.get(path) ?? {};
      return {
        ...question,
        shape: { ...shape, points: shape.points * weight },
        notes: [...notes, ...question.notes, ...ofTest],
      };
    }),
  );
  return true;
}

/** Texts of other files that an item names, in HTML. */
async function otherTexts(
  item: XmlElement,
  path: string,
  files: PackageFiles,
): Promise<{ texts: Map<string, string>; notes: string[] }> {
  const hrefs = [
    ...descendantsOf(item, 'assessmentStimulusRef').map(({ attributes }) => attributes.href ?? ''),
    ...descendantsOf(item, 'object').map(({ attributes }) => attributes.data ?? ''),
  ].filter((href) => /\.(?:x?html?|xml)$/i.test(href));
  const texts = new Map<string, string>();
  const notes: string[] = [];
  for (const href of new Set(hrefs)) {
    try {
      const bytes = await files.read(path, href);
      if (bytes) texts.set(href, sharedText(bytes, href));
      else
        notes.push(
          t('import.qti.textMissing', 'The text “{path}” is not in the file; it was left out.', {
            path: href.slice(0, 100),
          }),
        );
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      notes.push(
        t('import.qti.textUnread', 'The text “{path}” cannot be read; it was left out.', {
          path: href.slice(0, 100),
        }),
      );
    }
  }
  return { texts, notes };
}
