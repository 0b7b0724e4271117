/** Does to a page, again and again, what others do to it; returns how to stop that. */
export type Meddler = (root: Node) => () => void;

/** A browser's translator: replaces each text by the same one in two elements. */
export const translate: Meddler = (root) =>
  whenChanged(root, () => {
    for (const text of textsOf(root)) {
      const outer = document.createElement('font');
      const inner = outer.appendChild(document.createElement('font'));
      inner.append(text.data);
      text.replaceWith(outer);
    }
  });

/** One that puts the text itself into its elements, and one that puts them beside it first. */
export const wrap: Meddler = (root) =>
  whenChanged(root, () => {
    for (const [i, text] of textsOf(root).entries()) {
      const font = document.createElement('font');
      text.before(font);
      if (i % 2 === 0) font.append(text);
      else {
        font.append(text.data);
        text.remove();
      }
    }
  });

/** An extension that adds elements around every text. */
export const inject: Meddler = (root) =>
  whenChanged(root, () => {
    for (const text of textsOf(root)) {
      const mark = document.createElement('font');
      mark.append('\u200b');
      text.after(mark);
      // The comment marks the added text as one that was seen.
      mark.before(document.createComment('seen'));
    }
  });

/** An extension that removes what it takes for advertising: here every icon, and texts at the side. */
export const remove: Meddler = (root) =>
  whenChanged(root, () => {
    for (const icon of document.querySelectorAll('main svg')) icon.remove();
    for (const text of textsOf(root)) if (text.parentElement?.closest('aside li')) text.remove();
  });

export function textsOf(root: Node): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts.filter(
    ({ data, nextSibling, parentElement }) =>
      data.trim() !== '' &&
      nextSibling?.nodeType !== Node.COMMENT_NODE &&
      parentElement?.closest('font, style, script, textarea') === null,
  );
}

export function whenChanged(root: Node, meddle: () => void): () => void {
  const watch = new MutationObserver(() => {
    meddle();
    watch.takeRecords();
  });
  meddle();
  watch.observe(root, { childList: true, subtree: true, characterData: true });
  return () => watch.disconnect();
}
