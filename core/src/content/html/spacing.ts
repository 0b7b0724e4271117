import type { PhrasingContent } from 'mdast';
import { inBraces } from '../dollars.ts';

/** Removes spaces at the ends and around breaks, and joins texts that follow one another. */
export function trimmed(inlines: readonly PhrasingContent[]): PhrasingContent[] {
  const out: PhrasingContent[] = [];
  for (const inline of inlines) {
    const last = out.at(-1);
    if (inline.type === 'text') appendText(out, inline.value);
    else if (inline.type === 'break') {
      trimEnd(out);
      if (out.length > 0) out.push(inline);
    } else if (
      last?.type === inline.type &&
      (inline.type === 'strong' || inline.type === 'emphasis')
    ) {
      out[out.length - 1] = {
        ...inline,
        children: trimmed([...('children' in last ? last.children : []), ...inline.children]),
      };
    } else {
      // `$a$$b$` would be one formula, as would be code.
      const isSame = inline.type === 'inlineMath' || inline.type === 'inlineCode';
      if (isSame && last?.type === inline.type) out.push({ type: 'text', value: ' ' });
      out.push(inline);
    }
  }
  while (out.at(-1)?.type === 'break' || isBlankText(out.at(-1))) out.pop();
  trimEnd(out);
  const first = out[0];
  if (first?.type === 'text') first.value = first.value.replace(/^[\s\u00a0]+/, '');
  return out.filter((node) => node.type !== 'text' || node.value !== '').map(braced);
}

/** A formula that letters touch: braces keep it one, and are easier to read than character references. */
function braced(
  node: PhrasingContent,
  at: number,
  all: readonly PhrasingContent[],
): PhrasingContent {
  if (node.type !== 'inlineMath') return node;
  const textAt = (i: number) => (all[i]?.type === 'text' ? all[i].value : '');
  return { ...node, value: inBraces(node.value, textAt(at - 1), textAt(at + 1)) };
}

function appendText(out: PhrasingContent[], text: string): void {
  const last = out.at(-1);
  const isAfterSpace =
    last?.type === 'text' ? / $/.test(last.value) : last?.type === 'break' || !last;
  const value = isAfterSpace ? text.replace(/^[ \n]+/, '') : text;
  if (last?.type === 'text') last.value += value;
  else if (value !== '') out.push({ type: 'text', value });
}

const isBlankText = (node: PhrasingContent | undefined) =>
  node?.type === 'text' && /^[\s\u00a0]*$/.test(node.value);

function trimEnd(out: PhrasingContent[]): void {
  const last = out.at(-1);
  if (last?.type !== 'text') return;
  last.value = last.value.replace(/(?<![\s\u00a0])[\s\u00a0]+$/, '');
  if (last.value === '') out.pop();
}

/** Nodes without one kind of mark, however deep: strong inside of strong says nothing. */
export function withoutMark<T extends PhrasingContent | { type: 'displayFormula' }>(
  nodes: readonly T[],
  type: 'strong' | 'emphasis',
): T[] {
  return nodes.flatMap((node): T[] => {
    if (node.type !== 'strong' && node.type !== 'emphasis') return [node];
    const children = withoutMark(node.children, type);
    return node.type === type ? (children as T[]) : [{ ...node, children }];
  });
}
