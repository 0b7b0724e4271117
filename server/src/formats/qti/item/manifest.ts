import type { Difficulty } from '@invigil/core/domain/questions/question-definition';
import type { ImportedItem } from '../../imported-file.ts';
import { percentDecoded } from '../../text/decode-text.ts';
import { readXml } from '../../xml/read-xml.ts';
import { childrenOf, descendantsOf, textOf, type XmlElement } from '../../xml/xml-element.ts';
import { normalized } from './package-files.ts';

/** The source by which our own packages name categories. */
export const CATEGORY_SOURCE = 'Invigil category';

/** The facts of a package about one of its files. */
export type ResourceFacts = Pick<ImportedItem, 'tags' | 'categoryPath' | 'difficulty'>;

/** The list of contents of a package. */
export interface Manifest {
  /** Facts by path; files in the order of the manifest */
  facts: Map<string, ResourceFacts>;
  isCommonCartridge: boolean;
}

const DIFFICULTIES: Record<string, Difficulty> = {
  'very easy': 'easy',
  easy: 'easy',
  medium: 'medium',
  difficult: 'hard',
  hard: 'hard',
  'very difficult': 'hard',
};

/**
 * Reads a manifest resource by resource: it can be long. `root` is its folder, with a slash at the end.
 * Throws UnreadableFile.
 */
export function readManifest(bytes: Uint8Array, root: string): Manifest {
  const facts = new Map<string, ResourceFacts>();
  const manifest = readXml(bytes, {
    elements: ['resource'],
    onElement: (resource) => addResource(resource, root, facts),
  });
  const schema = descendantsOf(manifest, 'schema').map(textOf).join(' ');
  return { facts, isCommonCartridge: /common cartridge|thin common/i.test(schema) };
}

function addResource(resource: XmlElement, root: string, facts: Map<string, ResourceFacts>): void {
  const own = factsOf(childrenOf(resource, 'metadata'));
  const hrefs = [
    resource.attributes.href,
    ...childrenOf(resource, 'file').map((file) => file.attributes.href),
  ];
  for (const [i, href] of hrefs.entries()) {
    const path = href === undefined ? null : normalized(root + percentDecoded(href));
    // The facts of a resource are about its first file, which needs the others.
    if (path !== null && !facts.has(path)) {
      facts.set(path, i === 0 ? own : { tags: [], categoryPath: [] });
    }
  }
}

function factsOf(metadata: readonly XmlElement[]): ResourceFacts {
  const tags = new Set<string>();
  let categoryPath: string[] = [];
  for (const keyword of inside(metadata, 'keyword')) tags.add(text(keyword));
  for (const taxonPath of inside(metadata, 'taxonPath', 'taxonpath')) {
    const entries = descendantsOf(taxonPath, 'entry').map(firstString);
    const source = childrenOf(taxonPath, 'source').map(firstString)[0];
    if (source === CATEGORY_SOURCE) categoryPath = entries;
    else tags.add(entries.filter((entry) => entry !== '').join(' / '));
  }
  tags.delete('');
  const difficulty = inside(metadata, 'difficulty')
    .flatMap((element) => descendantsOf(element, 'value', 'langstring'))
    .map((value) => DIFFICULTIES[text(value).toLowerCase()])[0];
  return { tags: [...tags], categoryPath, difficulty };
}

function inside(metadata: readonly XmlElement[], ...names: string[]): XmlElement[] {
  return metadata.flatMap((element) => descendantsOf(element, ...names));
}

/** The first of texts in several languages. */
function firstString(element: XmlElement): string {
  const [string = element] = descendantsOf(element, 'string', 'langstring');
  return text(string);
}

function text(element: XmlElement): string {
  return textOf(element).replace(/\s+/g, ' ').trim();
}
