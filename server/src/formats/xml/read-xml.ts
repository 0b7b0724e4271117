import { numberText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { SaxesParser } from 'saxes';
import { UnreadableFile } from '../imported-file.ts';
import type { XmlElement } from './xml-element.ts';

/** Deeper files are made to exhaust the stack; the deepest real ones have some thirty levels. */
const MOST_DEPTH = 200;
/** Elements, attributes and texts in memory at a time: about 20 MB. */
const MOST_NODES = 125_000;
const MOST_ATTRIBUTES = 200;
/**
 * Characters of text in memory at a time, and of a single text, comment or attribute: an image of 10 MB,
 * the largest that is stored, in base64.
 */
const MOST_CHARACTERS = 14_000_000;

export interface ReadXmlOptions {
  /** Names of elements that are given to `onElement` instead of staying in the tree. */
  elements: readonly string[];
  /**
   * Called at the end of each such element that is not inside another one; with the open elements
   * around it, outermost first, as far as they have been read.
   */
  onElement: (element: XmlElement, parents: readonly XmlElement[]) => void;
}

/**
 * Reads an XML file in UTF-8, UTF-16 or the encoding that it declares. Entities other than the five of
 * XML and character references are refused, so nothing is fetched and nothing grows. Throws
 * UnreadableFile with the line when it is not well-formed.
 *
 * saxes: the only parser considered that checks well-formedness and knows lines (fast-xml-parser
 * accepts broken files and knows no lines after the first pass).
 */
export function readXml(bytes: Uint8Array, options?: ReadXmlOptions): XmlElement {
  const tree = new Tree(options);
  const parser = new SaxesParser({ xmlns: false, position: true });
  parser.on('error', (error) => {
    throw new UnreadableFile(sentenceOf(parser.line, error.message));
  });
  parser.on('opentagstart', () => tree.begin(parser.line));
  parser.on('attribute', () => tree.countAttribute(parser.line));
  parser.on('opentag', (tag) => tree.open(tag.name, tag.attributes));
  parser.on('closetag', () => tree.close());
  parser.on('text', (text) => tree.text(text, parser.line));
  parser.on('cdata', (text) => tree.text(text, parser.line));
  try {
    for (const piece of decodeXml(bytes)) {
      tree.pending += piece.length;
      if (tree.pending > MOST_CHARACTERS) throw tooMuchText(parser.line);
      parser.write(piece);
    }
    parser.close();
  } catch (error) {
    if (error instanceof TypeError) {
      throw new UnreadableFile(
        t(
          'import.xml.encoding',
          "Near line {line}: these bytes are not text in the file's encoding. Save it as UTF-8.",
          { line: parser.line },
        ),
      );
    }
    throw error;
  }
  if (!tree.root) throw new UnreadableFile(t('import.xml.none', 'The file has no XML element.'));
  return tree.root;
}

/** Builds the elements as the parser reports them. */
class Tree {
  root: XmlElement | null = null;
  private readonly parents: XmlElement[] = [];
  private readonly options: ReadXmlOptions | undefined;
  /** Nodes in memory, and how many there were when the element that is given away began. */
  private nodes = 0;
  private nodesBefore = 0;
  private givenAwayDepth = 0;
  private line = 1;
  private attributes = 0;
  private characters = 0;
  private charactersBefore = 0;
  /** Characters that the parser got since it reported anything: it holds them all. */
  pending = 0;

  constructor(options: ReadXmlOptions | undefined) {
    this.options = options;
  }

  begin(line: number): void {
    this.line = line;
    this.pending = 0;
    this.attributes = 0;
  }

  countAttribute(line: number): void {
    this.attributes += 1;
    if (this.attributes > MOST_ATTRIBUTES) {
      throw new UnreadableFile(
        t(
          /* {most} is a number */ 'import.xml.attributes',
          'Line {line}: an element has more than {most} attributes.',
          { line, most: MOST_ATTRIBUTES },
        ),
      );
    }
    this.count(line);
  }

  open(qualifiedName: string, attributes: Record<string, string>): void {
    const colon = qualifiedName.indexOf(':');
    const element: XmlElement = {
      name: qualifiedName.slice(colon + 1),
      prefix: colon < 0 ? '' : qualifiedName.slice(0, colon),
      attributes,
      children: [],
      line: this.line,
    };
    if (this.givenAwayDepth === 0 && this.options?.elements.includes(element.name)) {
      this.givenAwayDepth = this.parents.length + 1;
      this.nodesBefore = this.nodes;
      this.charactersBefore = this.characters;
    } else {
      const parent = this.parents.at(-1);
      if (parent) parent.children.push(element);
      else this.root = element;
    }
    if (this.parents.length === 0) this.root = element;
    this.parents.push(element);
    this.count(this.line);
    if (this.parents.length > MOST_DEPTH) {
      throw new UnreadableFile(
        t(
          /* {most} is a number */ 'import.xml.depth',
          'Line {line}: elements are nested more than {most} levels deep.',
          { line: this.line, most: MOST_DEPTH },
        ),
      );
    }
  }

  close(): void {
    this.pending = 0;
    const element = this.parents.pop();
    if (!element || this.parents.length + 1 !== this.givenAwayDepth) return;
    this.givenAwayDepth = 0;
    this.nodes = this.nodesBefore;
    this.characters = this.charactersBefore;
    this.options?.onElement(element, this.parents);
  }

  text(text: string, line: number): void {
    this.pending = 0;
    const parent = this.parents.at(-1);
    if (!parent || text === '') return;
    this.characters += text.length;
    if (this.characters > MOST_CHARACTERS) throw tooMuchText(line);
    const last = parent.children.length - 1;
    const before = parent.children[last];
    if (typeof before === 'string') parent.children[last] = before + text;
    else {
      parent.children.push(text);
      this.count(line);
    }
  }

  private count(line: number): void {
    this.nodes += 1;
    if (this.nodes > MOST_NODES) {
      throw new UnreadableFile(
        t(
          /* {most} is a number */ 'import.xml.elements',
          'Line {line}: the file has too many elements (more than {most}).',
          { line, most: numberText(MOST_NODES) },
        ),
      );
    }
  }
}

function tooMuchText(line: number): UnreadableFile {
  return new UnreadableFile(
    t(
      /* {millions} is a number */ 'import.xml.text',
      'Line {line}: the file has a text of more than {millions} million characters.',
      { line, millions: MOST_CHARACTERS / 1_000_000 },
    ),
  );
}

function sentenceOf(line: number, message: string): string {
  const reason = message.replace(/^(?:[^:]*:)?\d+:\d+: /, '').replace(/\.$/, '');
  if (reason === 'undefined entity') {
    return t(
      /* {entities} is a list of codes: “&amp;, &lt;” */ 'import.xml.entity',
      'Line {line}: the file uses an entity of its own. Only {entities} and character references are read.',
      { line, entities: '&amp;, &lt;, &gt;, &quot;, &apos;' },
    );
  }
  return t(
    /* {reason} says why, in English */ 'import.xml.notWellFormed',
    'Line {line}: this is not well-formed XML ({reason}).',
    { line, reason },
  );
}

/**
 * The encoding of an XML file: by its byte order mark, by the bytes of its first characters, or by its
 * declaration. Throws UnreadableFile when it is one that is not known.
 */
function encodingOf(bytes: Uint8Array): string {
  const [a, b, c, d] = bytes;
  if ((a === 0 && b === 0) || (a === 0xff && b === 0xfe && c === 0 && d === 0)) {
    throw new UnreadableFile(
      t('import.xml.utf32', 'The file is in UTF-32, which is not read. Save it as UTF-8.'),
    );
  }
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0x3c && b === 0) return 'utf-16le';
  if (a === 0 && b === 0x3c) return 'utf-16be';
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 200));
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(
    start.toString('latin1'),
  )?.[1];
  // Such a declaration in a file of single bytes is wrong; the file is UTF-8 then, as a rule.
  return declared === undefined || /^utf-?16/i.test(declared) ? 'utf-8' : declared;
}

/**
 * The text of an XML file piece by piece, so that no second copy of a long file is in memory. Without its
 * declaration, which says nothing more: that of other programs' files is often wrong (text in front of
 * it, no space between its parts), while the file is well-formed.
 */
function* decodeXml(bytes: Uint8Array): Generator<string> {
  const decoder = decoderOf(encodingOf(bytes));
  const step = 65_536;
  for (let start = 0; start < bytes.length; start += step) {
    const isLast = start + step >= bytes.length;
    const text = decoder.decode(bytes.subarray(start, start + step), { stream: !isLast });
    yield start === 0
      ? text.replace(/^\s*<\?xml\s[^>]*\?>/, (declaration) => declaration.replace(/[^\n]/g, ''))
      : text;
  }
}

function decoderOf(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new UnreadableFile(
      t(
        'import.xml.unknownEncoding',
        'The encoding “{encoding}” is not known. Save the file as UTF-8.',
        { encoding: encoding.slice(0, 40) },
      ),
    );
  }
}
