import { dedented, htmlWithLines } from '@invigil/core/content/html/lines';
import { t } from '@invigil/core/texts/i18n';
import { element, escapeXml, htmlInside, htmlOf } from '../../xml/write-xml.ts';
import { childrenOf, isElement, textOf, type XmlElement } from '../../xml/xml-element.ts';
import { NotSupported, placesText } from '../fit/score.ts';
import { ASKS_FOR, type AsksFor } from '../item/asks-for.ts';

export interface ResponseField {
  element: XmlElement;
  ident: string;
  /** `render_choice`, `render_fib` … */
  render: XmlElement | undefined;
}

const RESPONSES = [
  'response_lid',
  'response_str',
  'response_num',
  'response_xy',
  'response_grp',
  'response_na',
];
const OTHER_KINDS: Record<string, AsksFor> = {
  response_xy: ASKS_FOR.selectingPlacePicture,
  response_grp: ASKS_FOR.matching,
  response_na: ASKS_FOR.responseItsOwnKind,
  render_hotspot: ASKS_FOR.selectingPlacePicture,
  render_slider: ASKS_FOR.slider,
  render_extension: ASKS_FOR.interactionItsOwnKind,
};
const BLANK = '______';
const MARKUP =
  /<\/?(?:p|div|span|br|b|i|u|em|strong|img|table|ul|ol|li|sub|sup|a|pre|code|font)\b[^<>]*>/i;

/** The one field of an item. Throws NotSupported. */
export function fieldOf(presentation: XmlElement): ResponseField {
  const fields = allFields(presentation);
  const [field] = fields;
  if (!field)
    throw new NotSupported(
      t(/* “it”: a question of the file */ 'import.qti.noPlace', 'It has no place for an answer.'),
    );
  if (fields.length > 1) {
    throw new NotSupported(placesText(fields.length));
  }
  const render = childrenOf(field).find(({ name }) => name.startsWith('render_'));
  for (const { name } of render ? [field, render] : [field]) {
    if (Object.hasOwn(OTHER_KINDS, name)) {
      throw new NotSupported(OTHER_KINDS[name]?.(name));
    }
  }
  return { element: field, ident: field.attributes.ident ?? '', render };
}

/** The fields of an item that has one for each of its rows. */
export function allFields(parent: XmlElement): XmlElement[] {
  return childrenOf(parent).flatMap((child) =>
    RESPONSES.includes(child.name) ? [child] : allFields(child),
  );
}

/**
 * The text of an item in HTML; a field inside of a sentence is a blank.
 *
 * @param hasRows the texts of fields are items, and not part of it
 */
export function presentationHtml(presentation: XmlElement, hasRows = false): string {
  const parts: string[] = [];
  const visit = (parent: XmlElement) => {
    for (const child of childrenOf(parent)) {
      if (hasRows && RESPONSES.includes(child.name)) continue;
      if (child.name === 'material') parts.push(materialHtml(child));
      else if (child.name.startsWith('render_'))
        parts.push(child.name === 'render_fib' ? BLANK : '');
      else visit(child);
    }
  };
  visit(presentation);
  const texts = parts.filter((part) => part !== '');
  // A field behind the whole text needs no blank.
  if (texts.at(-1) === BLANK) texts.pop();
  return texts.includes(BLANK)
    ? texts.join(' ')
    : texts.length === 1
      ? (texts[0] ?? '')
      : texts.map((text) => `<div>${text}</div>`).join('');
}

/** All material inside of an element: an option, a feedback. */
export function materialsHtml(parent: XmlElement): string {
  return childrenOf(parent)
    .map((child) => (child.name === 'material' ? materialHtml(child) : materialsHtml(child)))
    .join('');
}

function materialHtml(material: XmlElement): string {
  return material.children
    .filter(isElement)
    .map((part) => {
      const { name, attributes } = part;
      if (name === 'mattext') return textHtml(part);
      if (name === 'matemtext') return `<em>${textHtml(part)}</em>`;
      if (name === 'matbreak') return '<br>';
      if (name === 'matimage') {
        return element('img', {
          src: attributes.uri ?? '',
          alt: attributes.label ?? textOf(part).trim(),
        }).xml;
      }
      if (name === 'math') return htmlOf(part);
      // Blackboard's text
      if (name === 'mat_extension') {
        return childrenOf(part)
          .map((child) => (child.name === 'math' ? htmlOf(child) : textHtml(child)))
          .join('');
      }
      return name === 'altmaterial' ? '' : `<${name}></${name}>`;
    })
    .join('');
}

/** HTML is escaped or in CDATA as a rule; some programs do not say that it is HTML. */
function textHtml(mattext: XmlElement): string {
  if (mattext.children.some(isElement)) return htmlInside(mattext);
  const text = textOf(mattext);
  const { texttype = mattext.attributes.type } = mattext.attributes;
  if (texttype === undefined ? MARKUP.test(text) : /html/i.test(texttype)) return text;
  const html = htmlWithLines(escapeXml(dedented(text.replace(/\r\n?/g, '\n'))));
  // Another text or a formula may be beside it.
  return `${/^\s/.test(text) ? ' ' : ''}${html}${/\s$/.test(text) ? ' ' : ''}`;
}
