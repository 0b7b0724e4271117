import { decodeText } from '../../text/decode-text.ts';
import { readXml } from '../../xml/read-xml.ts';
import { descendantsOf } from '../../xml/xml-element.ts';
import { contentText } from './item-body.ts';
import { normalizeNames } from './normalize.ts';

/**
 * The inside of a stimulus, or of an HTML file, which need not be well-formed. `href` is where it lies,
 * seen from the item: so are its images then.
 */
export function sharedText(bytes: Uint8Array, href: string): string {
  const folder = href.slice(0, href.lastIndexOf('/') + 1);
  return insideOf(bytes).replace(/<img\s[^<>]*>/gi, (tag) =>
    tag.replace(/(\ssrc\s*=\s*["']?)(?![a-z][a-z\d+.-]*:|[/$])(?=[^"'\s>])/i, `$1${folder}`),
  );
}

function insideOf(bytes: Uint8Array): string {
  const html = decodeText(bytes).text;
  if (!/<(?:qti-a|a)ssessment-?stimulus[\s>]/i.test(html)) {
    return html
      .replace(/^[\s\S]*?<body[^<>]*>/i, '')
      .replace(/<\/body>[\s\S]*$/i, '')
      .replace(/^\s*<!doctype[^>]*>/i, '');
  }
  const root = normalizeNames(readXml(bytes));
  const [body = root] = descendantsOf(root, 'stimulusBody');
  return contentText(body, new Map()).html;
}
