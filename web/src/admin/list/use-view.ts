import { useSearchParams } from 'react-router';

/** A view as `urlView` makes it. */
interface ViewIn<V> {
  from(address: URLSearchParams): V;
  to(view: Partial<V>): URLSearchParams;
}

/**
 * The view of a list that the address has. `show` sets another one; `narrow` changes some of it and begins at
 * the first page. With `replace` Back does not return to what was shown, as while someone types.
 */
export function useView<V extends object>({ from, to }: ViewIn<V>) {
  const [address, setAddress] = useSearchParams();
  const view = from(address);
  const show = (next: V, replace = false) =>
    setAddress(to(next), { replace, preventScrollReset: true });
  const narrow = (change: Partial<V>, replace = false) =>
    show({ ...view, ...change, ...('page' in view ? { page: 1 } : {}) }, replace);
  const pages = {
    page: 'page' in view ? Number(view.page) : 1,
    onPage: (page: number) => show({ ...view, page }),
  };
  return { view, show, narrow, pages };
}
