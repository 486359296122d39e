//! Allow-list of PDF objects: for each kind, the entries needed to draw it (ISO 32000-2). Actions, scripts,
//! attachments, forms, media, metadata and structure are not listed and so never copied.

/// Kind of an object, which determines the copied entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A number, name, string, boolean, or a list of these.
    Plain,
    /// A stream of bytes or operators without further entries.
    Bytes,
    Resources,
    GraphicsState,
    SoftMask,
    /// A name, or a list of [`Self::ColorOperand`].
    Color,
    /// A name, number, string, another colour space, or a [`Self::ColorPart`].
    ColorOperand,
    /// A dictionary or stream in a colour space: white points, profiles, functions, colorants.
    ColorPart,
    ColorProcess,
    Function,
    Pattern,
    Shading,
    /// An image or a form, depending on its subtype.
    XObject,
    Image,
    Form,
    Group,
    Font,
    FontDescriptor,
    FontFile,
    Encoding,
    CharacterMap,
    CharacterCollection,
    /// The settings of a filter.
    FilterSettings,
    /// An optional content group, or a rule that combines them.
    Layer,
    LayerUsage,
    LayerState,
    LayerConfiguration,
    LayerEvent,
    LayerProperties,
    /// An output intent.
    OutputIntent,
}

/// Cardinality of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Multiplicity {
    One(Shape),
    /// One or a list of them, possibly mixed with numbers.
    Many(Shape),
    /// A dictionary with names chosen by the file as keys, as in resources.
    Named(Shape),
}

use Multiplicity::{Many, Named, One};
use Shape::{
    Bytes, CharacterCollection, CharacterMap, Color, ColorPart, ColorProcess, Encoding, FilterSettings,
    FontDescriptor, FontFile, Form, Function, GraphicsState, Group, Image, Layer, LayerConfiguration,
    LayerEvent, LayerProperties, LayerState, LayerUsage, OutputIntent, Pattern, Plain, Resources, Shading,
    SoftMask, XObject,
};

/// An entry that is copied.
pub type EntryRule = (&'static str, Multiplicity);

/// Resources of a page or form.
pub const RESOURCES: &[EntryRule] = &[
    ("ExtGState", Named(GraphicsState)),
    ("ColorSpace", Named(Color)),
    ("Pattern", Named(Pattern)),
    ("Shading", Named(Shading)),
    ("XObject", Named(XObject)),
    ("Font", Named(Shape::Font)),
    ("Properties", Named(Layer)),
];

/// Entries by name; one without a shape is plain.
macro_rules! entries {
    ($($name:ident $(: $holds:expr)?),+ $(,)?) => {
        &[$((stringify!($name), entries!(@holds $($holds)?))),+]
    };
    (@holds $holds:expr) => { $holds };
    (@holds) => { One(Plain) };
}

impl Shape {
    /// Whether this shape is a stream with content.
    pub fn is_stream(self) -> bool {
        matches!(
            self,
            Self::Bytes
                | Self::ColorPart
                | Self::Function
                | Self::Pattern
                | Self::Shading
                | Self::Image
                | Self::Form
                | Self::FontFile
                | Self::CharacterMap
                | Self::Encoding
        )
    }

    /// Allowed entries with their shapes.
    pub fn entries(self) -> &'static [EntryRule] {
        match self {
            Plain | Bytes | Color | Self::ColorOperand | XObject => &[],
            Resources => RESOURCES,
            GraphicsState => entries! {
                Type, LW, LC, LJ, ML, D, RI, OP, op, OPM, Font: Many(Shape::Font), BG: One(Function),
                BG2: One(Function), UCR: One(Function), UCR2: One(Function), TR: Many(Function),
                TR2: Many(Function), FL, SM, SA, BM, SMask: One(SoftMask), CA, ca, AIS, TK,
            },
            SoftMask => entries! { Type, S, G: One(Form), BC, TR: One(Function) },
            ColorPart => entries! {
                WhitePoint, BlackPoint, Gamma, Matrix, Range, N, Alternate: One(Color), Subtype,
                Colorants: Named(Color), Process: One(ColorProcess), FunctionType, Domain, Size,
                BitsPerSample, Order, Encode, Decode, C0, C1, Functions: Many(Function), Bounds,
            },
            ColorProcess => entries! { ColorSpace: One(Color), Components },
            Function => entries! {
                FunctionType, Domain, Range, Size, BitsPerSample, Order, Encode, Decode, C0, C1, N,
                Functions: Many(Function), Bounds,
            },
            Pattern => entries! {
                Type, PatternType, PaintType, TilingType, BBox, XStep, YStep, Resources: One(Resources),
                Matrix, Shading: One(Shading), ExtGState: One(GraphicsState),
            },
            Shading => entries! {
                ShadingType, ColorSpace: One(Color), Background, BBox, AntiAlias, Domain, Matrix,
                Function: Many(Function), Coords, Extend, BitsPerCoordinate, BitsPerComponent, BitsPerFlag,
                Decode, VerticesPerRow,
            },
            Image => entries! {
                Type, Subtype, Width, Height, BitsPerComponent, ColorSpace: One(Color), Intent, ImageMask,
                Mask: Many(Image), Decode, Interpolate, SMask: One(Image), SMaskInData, Matte, OC: One(Layer),
            },
            Form => entries! {
                Type, Subtype, FormType, BBox, Matrix, Resources: One(Resources), Group: One(Group),
                OC: One(Layer),
            },
            Group => entries! { Type, S, CS: One(Color), I, K },
            Shape::Font => entries! {
                Type, Subtype, BaseFont, FirstChar, LastChar, Widths, FontDescriptor: One(FontDescriptor),
                Encoding: One(Encoding), ToUnicode: One(CharacterMap), DescendantFonts: Many(Shape::Font),
                CIDSystemInfo: One(CharacterCollection), DW, W, DW2, W2, CIDToGIDMap: One(Bytes), FontBBox,
                FontMatrix, CharProcs: Named(Bytes), Resources: One(Resources),
            },
            FontDescriptor => entries! {
                Type, FontName, FontFamily, FontStretch, FontWeight, Flags, FontBBox, ItalicAngle, Ascent,
                Descent, Leading, CapHeight, XHeight, StemV, StemH, AvgWidth, MaxWidth, MissingWidth,
                FontFile: One(FontFile), FontFile2: One(FontFile), FontFile3: One(FontFile), CharSet,
            },
            FontFile => entries! { Subtype, Length1, Length2, Length3 },
            // Encoding of a simple font, or a character map.
            Encoding => entries! {
                Type, BaseEncoding, Differences, CMapName, CIDSystemInfo: One(CharacterCollection), WMode,
                UseCMap: One(CharacterMap),
            },
            CharacterMap => entries! {
                Type, CMapName, CIDSystemInfo: One(CharacterCollection), WMode, UseCMap: One(CharacterMap),
            },
            CharacterCollection => entries! { Registry, Ordering, Supplement },
            FilterSettings => entries! {
                Predictor, Colors, BitsPerComponent, Columns, K, EndOfLine, EncodedByteAlign, Rows,
                EndOfBlock, BlackIs1, DamagedRowsBeforeError, ColorTransform, JBIG2Globals: One(Bytes),
            },
            Layer => entries! {
                Type, Name, Intent, Usage: One(LayerUsage), OCGs: Many(Layer), P, VE: Many(Layer),
            },
            LayerUsage => entries! { View: One(LayerState), Print: One(LayerState), Export: One(LayerState) },
            LayerState => entries! { ViewState, PrintState, ExportState },
            LayerProperties => entries! { OCGs: Many(Layer), D: One(LayerConfiguration) },
            LayerConfiguration => entries! {
                Name, Intent, BaseState, ON: Many(Layer), OFF: Many(Layer), AS: Many(LayerEvent),
            },
            OutputIntent => entries! { OutputConditionIdentifier, DestOutputProfile: One(ColorPart) },
            LayerEvent => entries! { Event, OCGs: Many(Layer), Category },
        }
    }
}
