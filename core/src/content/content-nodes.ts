/**
 * The closed list of what a Markdown text may contain, in the shape of mdast (the syntax tree of the
 * unified project), so that its tools read it.
 */
export interface Text {
  type: 'text';
  value: string;
}
export interface Emphasis {
  type: 'emphasis';
  children: Phrase[];
}
export interface Strong {
  type: 'strong';
  children: Phrase[];
}
export interface InlineCode {
  type: 'inlineCode';
  value: string;
}
export interface InlineMath {
  type: 'inlineMath';
  /** TeX */
  value: string;
}
export interface Link {
  type: 'link';
  /** http, https or mailto */
  url: string;
  children: Phrase[];
}
export interface Image {
  type: 'image';
  /** `image:` and the hash of the stored bytes */
  url: string;
  alt: string;
  /** the caption */
  title: string | null;
}
export interface Break {
  type: 'break';
}
export type Phrase = Text | Emphasis | Strong | InlineCode | InlineMath | Link | Image | Break;

export interface Paragraph {
  type: 'paragraph';
  children: Phrase[];
}
export interface DisplayMath {
  type: 'math';
  /** TeX */
  value: string;
}
export interface Code {
  type: 'code';
  lang: string | null;
  value: string;
}
export interface ThematicBreak {
  type: 'thematicBreak';
}
export interface Blockquote {
  type: 'blockquote';
  children: Block[];
}
export interface ListItem {
  type: 'listItem';
  spread: boolean;
  children: Block[];
}
export interface List {
  type: 'list';
  ordered: boolean;
  start: number | null;
  spread: boolean;
  children: ListItem[];
}
export interface TableCell {
  type: 'tableCell';
  children: Phrase[];
}
export interface TableRow {
  type: 'tableRow';
  children: TableCell[];
}
export interface Table {
  type: 'table';
  /** The alignment of each column. */
  align: ('left' | 'right' | 'center' | null)[];
  /** The first row is the head. */
  children: TableRow[];
}
export type Block = Paragraph | DisplayMath | Code | ThematicBreak | Blockquote | List | Table;

export interface Content {
  type: 'root';
  children: Block[];
}
