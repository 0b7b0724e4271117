import { isMadeByReact } from '../../lib/made-by-react.ts';

/*
 * A page belongs to its browser, too: a translator replaces each text by elements of its own, extensions
 * add, wrap and remove nodes. React keeps the nodes it made and fails when they are elsewhere
 * (`removeChild`, `insertBefore`), or changes a text that nobody sees any more: the words of the question
 * before under the number of this one. So the three operations find what stands in the node's place.
 */

/** The node in place of one that was removed. */
const standIns = new WeakMap<Node, Node>();

/** Makes the page tolerate changes of its nodes by others. Call it before React renders. */
export function tolerateForeignChanges(): void {
  const watch = new MutationObserver(remember);
  watch.observe(document, { childList: true, subtree: true });
  // Reads pending changes before the observer's callback, which runs later.
  const catchUp = () => remember(watch.takeRecords());

  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    if (child.parentNode === this) return removeChild.call(this, child) as T;
    catchUp();
    const place = placeOf(child, this);
    if (place !== null) removeChild.call(this, place);
    return child;
  };
  Node.prototype.insertBefore = function <T extends Node>(
    this: Node,
    added: T,
    before: Node | null,
  ): T {
    if (before === null || before.parentNode === this) {
      return insertBefore.call(this, added, before) as T;
    }
    catchUp();
    return insertBefore.call(this, added, placeOf(before, this)) as T;
  };

  const nodeValue = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue');
  Object.defineProperty(Text.prototype, 'nodeValue', {
    configurable: true,
    get(this: Text) {
      return nodeValue?.get?.call(this);
    },
    set(this: Text, text: string) {
      nodeValue?.set?.call(this, text);
      if (this.isConnected) return;
      catchUp();
      const place = standIns.get(this);
      // The translator sees the new text and translates it again.
      if (place instanceof Element && place.isConnected) place.replaceWith(this);
    },
  });
}

function remember(records: readonly MutationRecord[]): void {
  for (const { removedNodes, addedNodes, previousSibling, nextSibling } of records) {
    for (const removed of removedNodes) {
      if (removed.isConnected) continue;
      // Replaced, or removed after its replacement was put beside it.
      const [beside] = [addedNodes[0], previousSibling, nextSibling].filter((node) =>
        isForeign(node),
      );
      if (beside) standIns.set(removed, beside);
    }
  }
}

function isForeign(node: Node | null | undefined): node is Element {
  return node instanceof Element && !isMadeByReact(node);
}

/** The child of a parent that stands where a node was: around it, or in its place; `null` if none does. */
function placeOf(node: Node, parent: Node): Node | null {
  for (let at: Node | null = node; at !== null; at = at.parentNode) {
    if (at.parentNode === parent) return at;
  }
  const standIn = standIns.get(node);
  return standIn === undefined ? null : placeOf(standIn, parent);
}
