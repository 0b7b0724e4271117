import { strToU8 } from 'fflate';
import type { ExportedQuestion, ImageBytes } from '../../exported-question.ts';
import { imageFileName } from '../../text/image-file-name.ts';
import { element, type WrittenXml, xmlFile } from '../../xml/write-xml.ts';
import { ZipPieces } from '../../zip-pieces.ts';
import { CATEGORY_SOURCE } from '../item/manifest.ts';
import { writeItem } from './write-item.ts';

const CONTENT = 'http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1';
const CONTENT_SCHEMA =
  'https://purl.imsglobal.org/spec/qti/v3p0/schema/xsd/imsqtiv3p0_imscpv1p2_v1p0.xsd';
const LOM = 'http://ltsc.ieee.org/xsd/LOM';
const LOM_SCHEMA = 'https://purl.imsglobal.org/spec/md/v1p3/schema/xsd/imsmd_loose_v1p3p2.xsd';

/**
 * Writes a package of QTI 3.0 piece by piece: an item for each question, the images that they name, the
 * manifest at the end. Nothing but the manifest is in memory as a whole.
 */
export function* writeQti3(
  questions: Iterable<ExportedQuestion>,
  image: ImageBytes,
): Generator<Uint8Array> {
  const zip = new ZipPieces();
  const images = new Set<string>();
  const resources: WrittenXml[] = [];
  let count = 0;
  for (const question of questions) {
    count += 1;
    const identifier = `question-${count}`;
    const path = `items/${identifier}.xml`;
    const files = new Set<string>();
    const srcOf = (hash: string) => {
      const bytes = image(hash);
      const file = `images/${bytes ? imageFileName(hash, bytes) : hash}`;
      if (bytes) {
        if (!images.has(hash)) zip.add(file, bytes, false);
        images.add(hash);
        files.add(file);
      }
      return `../${file}`;
    };
    const item = writeItem(question.definition, { identifier, title: question.title }, srcOf);
    zip.add(path, strToU8(item), true);
    resources.push(resource(identifier, path, question, files));
    yield* zip.take();
  }
  zip.add('imsmanifest.xml', strToU8(manifest(resources)), true);
  zip.end();
  yield* zip.take();
}

function resource(
  identifier: string,
  path: string,
  question: ExportedQuestion,
  files: ReadonlySet<string>,
): WrittenXml {
  return element(
    'resource',
    { identifier, type: 'imsqti_item_xmlv3p0', href: path },
    metadata(question),
    element('file', { href: path }),
    [...files].map((href) => element('file', { href })),
  );
}

/** Tags as keywords, the category as a classification, the difficulty as LOM has it. */
function metadata({ tags, categoryPath, difficulty }: ExportedQuestion): WrittenXml | null {
  if (tags.length === 0 && categoryPath.length === 0 && !difficulty) return null;
  const string = (text: string) => element('lom:string', {}, text);
  const term = (name: string, text: string) =>
    element(name, {}, element('lom:source', {}, 'LOMv1.0'), element('lom:value', {}, text));
  return element(
    'metadata',
    {},
    element(
      'lom:lom',
      {},
      tags.length === 0
        ? null
        : element(
            'lom:general',
            {},
            tags.map((tag) => element('lom:keyword', {}, string(tag))),
          ),
      difficulty
        ? element(
            'lom:educational',
            {},
            term('lom:difficulty', difficulty === 'hard' ? 'difficult' : difficulty),
          )
        : null,
      categoryPath.length === 0
        ? null
        : element(
            'lom:classification',
            {},
            term('lom:purpose', 'discipline'),
            element(
              'lom:taxonPath',
              {},
              element('lom:source', {}, string(CATEGORY_SOURCE)),
              categoryPath.map((name) =>
                element('lom:taxon', {}, element('lom:entry', {}, string(name))),
              ),
            ),
          ),
    ),
  );
}

function manifest(resources: readonly WrittenXml[]): string {
  return xmlFile(
    element(
      'manifest',
      {
        xmlns: CONTENT,
        'xmlns:lom': LOM,
        'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
        'xsi:schemaLocation': `${CONTENT} ${CONTENT_SCHEMA} ${LOM} ${LOM_SCHEMA}`,
        identifier: 'package',
      },
      element(
        'metadata',
        {},
        element('schema', {}, 'QTI Package'),
        element('schemaversion', {}, '3.0.0'),
      ),
      element('organizations'),
      element('resources', {}, [...resources]),
    ),
  );
}
