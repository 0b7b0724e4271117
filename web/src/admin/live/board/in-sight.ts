const watched = new Map<Element, (isIn: boolean) => void>();
let observer: IntersectionObserver | null = null;

/** Reports whether an element is on or near the screen, until the returned function is called. */
export function onSight(element: Element, report: (isIn: boolean) => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) watched.get(target)?.(isIntersecting);
    },
    { rootMargin: '300px' },
  );
  watched.set(element, report);
  observer.observe(element);
  return () => {
    watched.delete(element);
    observer?.unobserve(element);
  };
}
