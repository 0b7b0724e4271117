/*
 * The closed list of what a Markdown text may contain, in the shape of mdast (the syntax tree of the
 * unified project), so that its tools read it.
 */

interface Leaf<Type extends string> {
  type: Type;
}
interface Literal<Type extends string> extends Leaf<Type> {
  value: string;
}
interface Parent<Type extends string, Child> extends Leaf<Type> {
  children: Child[];
}

export type Text = Literal<'text'>;
export type Emphasis = Parent<'emphasis', Phrase>;
export type Strong = Parent<'strong', Phrase>;
export type InlineCode = Literal<'inlineCode'>;
/** TeX, as is that of a formula in its own line. */
export type InlineMath = Literal<'inlineMath'>;
export interface Link extends Parent<'link', Phrase> {
  /** http, https or mailto */
  url: string;
}
export interface Image extends Leaf<'image'> {
  /** `image:` and the hash of the stored bytes, and where it is given a width: `#50`, percent of a line */
  url: string;
  alt: string;
  /** the caption */
  title: string | null;
}
export type Break = Leaf<'break'>;
export type Phrase = Text | Emphasis | Strong | InlineCode | InlineMath | Link | Image | Break;

export type Paragraph = Parent<'paragraph', Phrase>;
export type DisplayMath = Literal<'math'>;
export interface Code extends Literal<'code'> {
  lang: string | null;
}
export type ThematicBreak = Leaf<'thematicBreak'>;
export type Blockquote = Parent<'blockquote', Block>;
export interface ListItem extends Parent<'listItem', Block> {
  spread: boolean;
}
export interface List extends Parent<'list', ListItem> {
  ordered: boolean;
  start: number | null;
  spread: boolean;
}
export type TableCell = Parent<'tableCell', Phrase>;
export type TableRow = Parent<'tableRow', TableCell>;
/** The first row is the head. */
export interface Table extends Parent<'table', TableRow> {
  /** The alignment of each column. */
  align: ('left' | 'right' | 'center' | null)[];
}
export type Block = Paragraph | DisplayMath | Code | ThematicBreak | Blockquote | List | Table;

export type Content = Parent<'root', Block>;
