// The layout modules of each area.

/** @type {Record<string, string[]>} */
export const frames = {
  public: [],
  account: ['accounts/AccountLayout'],
  student: ['students/StudentLayout'],
  office: ['staff/OfficeLayout'],
};
