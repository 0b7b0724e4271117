import { readXml } from '../../xml/read-xml.ts';
import { htmlInside } from '../../xml/write-xml.ts';
import { descendantsOf } from '../../xml/xml-element.ts';
import { normalizeNames } from './normalize.ts';

/** The inside of a stimulus, or of an HTML file, which need not be well-formed. */
export function sharedText(bytes: Uint8Array): string {
  const html = textOfHtml(bytes);
  if (!/<(?:qti-a|a)ssessment-?stimulus[\s>]/i.test(html)) {
    return html
      .replace(/^[\s\S]*?<body[^>]*>/i, '')
      .replace(/<\/body>[\s\S]*$/i, '')
      .replace(/^\s*<!doctype[^>]*>/i, '');
  }
  const root = normalizeNames(readXml(bytes));
  const [body = root] = descendantsOf(root, 'stimulusBody');
  return htmlInside(body);
}

/** Browsers read a page that is not UTF-8 as Windows-1252. */
function textOfHtml(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
